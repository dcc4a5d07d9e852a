package io.entrepot.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BrokenDisksTest {

    @BeforeEach
    void needs() {
        Needs.loopDisks();
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ);
    }

    private static void write(FileChannel channel) throws IOException {
        channel.write(ByteBuffer.allocate(64 << 10));
    }

    @Test
    void sync_failsOnceAndThenLies_whenDataCannotBeWritten() throws IOException {
        try (FailingDisk disk = FailingDisk.create(FailingDisk.Failure.DATA);
                FileChannel file = open(disk.root().resolve("file"))) {
            write(file);
            file.force(false);
            disk.startFailing();
            assertThatCode(() -> write(file)).as("a write goes to memory").doesNotThrowAnyException();
            assertThatThrownBy(() -> file.force(false)).isInstanceOf(IOException.class)
                    .hasMessageMatching(".*(No space left on device|Input/output error).*");
            assertThatCode(() -> file.force(false)).as("the lie").doesNotThrowAnyException();
            disk.stopFailing();
            write(file);
            assertThatCode(() -> file.force(false)).doesNotThrowAnyException();
            Files.writeString(disk.root().resolve("other"), "the file system lives");
        }
    }

    @Test
    void sync_fails_whenOnlyTheLastPartOfAWriteFindsNoSpace() throws IOException {
        // The first block of the write is there already, the others are not: no write may be half done in silence.
        for (int round = 0; round < 10; round++) {
            try (FailingDisk disk = FailingDisk.create(FailingDisk.Failure.DATA);
                    FileChannel file = open(disk.root().resolve("file"))) {
                file.write(ByteBuffer.allocate(68));
                file.force(false);
                disk.startFailing();
                file.write(ByteBuffer.allocate(30_000));
                assertThatThrownBy(() -> file.force(false)).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void fileSystem_stops_whenItsJournalCannotBeWritten() throws IOException {
        try (FailingDisk disk = FailingDisk.create(FailingDisk.Failure.JOURNAL)) {
            disk.startFailing();
            assertThatThrownBy(() -> {
                try (FileChannel file = open(disk.root().resolve("file"))) {
                    file.force(true);
                }
            }).isInstanceOf(IOException.class).hasMessageContaining("Input/output error");
            disk.stopFailing();
            assertThatThrownBy(() -> Files.writeString(disk.root().resolve("later"), "x"))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void write_fails_whenTheDiskIsFull() throws IOException {
        try (FullDisk disk = FullDisk.create(32 << 20); FileChannel file = open(disk.root().resolve("file"))) {
            write(file);
            disk.fill(256 << 10);
            write(file);
            assertThatThrownBy(() -> {
                for (int i = 0; i < 8; i++) {
                    write(file);
                    file.force(false);
                }
            }).isInstanceOf(IOException.class).hasMessageContaining("No space left on device");
            disk.free();
            assertThatCode(() -> write(file)).doesNotThrowAnyException();
            file.force(true);
            assertThat(file.size()).isGreaterThan(128 << 10);
        }
    }
}
