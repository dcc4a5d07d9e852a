package io.entrepot.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PowerCutTest {

    @BeforeEach
    void needs() {
        Needs.loopDisks();
    }

    private static void write(Path file, String text, boolean sync) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            if (sync) {
                channel.force(true);
            }
        }
    }

    private static void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Test
    void cut_keepsWhatWasSynced_andLosesTheRest() throws IOException {
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts())) {
            Path root = disk.root();
            write(root.resolve("synced"), "here", true);
            write(root.resolve("old-name"), "renamed without sync", true);
            syncDirectory(root);
            write(root.resolve("unsynced"), "gone", false);
            Files.move(root.resolve("old-name"), root.resolve("new-name"), StandardCopyOption.ATOMIC_MOVE);
            try (LabDisk after = PowerCut.of(disk)) {
                assertThat(after.root().resolve("synced")).hasContent("here");
                assertThat(after.root().resolve("unsynced")).doesNotExist();
                assertThat(after.root().resolve("new-name")).doesNotExist();
                assertThat(after.root().resolve("old-name")).hasContent("renamed without sync");
            }
        }
    }

    @Test
    void cut_losesTheContent_whenAReplacementWasNotSynced() throws IOException {
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts())) {
            Path root = disk.root();
            write(root.resolve("file"), "first", true);
            write(root.resolve("next"), "second", false);
            Files.move(root.resolve("next"), root.resolve("file"), StandardCopyOption.REPLACE_EXISTING);
            syncDirectory(root);
            try (LabDisk after = PowerCut.of(disk)) {
                // The rename is durable and the bytes are not: what a program gets that syncs only the directory.
                assertThat(after.root().resolve("file")).isEmptyFile();
            }
        }
    }

    @Test
    void cut_canFollowACut() throws IOException {
        LabDisk disk = LabDisk.create(DiskOptions.forCuts());
        long[] millis = new long[10];
        for (int round = 0; round < millis.length; round++) {
            write(disk.root().resolve("synced-" + round), "here", true);
            syncDirectory(disk.root());
            write(disk.root().resolve("unsynced-" + round), "gone", false);
            long begin = System.nanoTime();
            LabDisk after = PowerCut.of(disk);
            disk.close();
            millis[round] = (System.nanoTime() - begin) / 1_000_000;
            disk = after;
            for (int earlier = 0; earlier <= round; earlier++) {
                assertThat(disk.root().resolve("synced-" + earlier)).hasContent("here");
                assertThat(disk.root().resolve("unsynced-" + earlier)).doesNotExist();
            }
        }
        disk.close();
        Arrays.sort(millis);
        assertThat(millis[millis.length / 2]).as("hundreds of cuts must fit into a minute").isLessThan(500);
    }
}
