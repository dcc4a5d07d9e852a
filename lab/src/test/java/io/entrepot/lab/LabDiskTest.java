package io.entrepot.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabDiskTest {

    @TempDir
    Path place;

    @Test
    void create_givesAJournaledFileSystemOfItsOwn() throws IOException {
        Needs.loopDisks();
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts().placed(place))) {
            assertThat(Files.getFileStore(disk.root()).type()).isEqualTo("ext4");
            assertThat(Files.getFileStore(disk.root())).isNotEqualTo(Files.getFileStore(place));
            assertThat(disk.note()).isEmpty();
            assertThat(Command.check("dumpe2fs", "-h", disk.image().orElseThrow().file().toString()))
                    .contains("has_journal");
            assertThat(
                    Files.readString(Path.of("/proc/mounts")).lines().filter(l -> l.contains(disk.root().toString())))
                    .singleElement()
                    .asString()
                    .doesNotContain("nobarrier")
                    .contains("noauto_da_alloc", "commit=300");
        }
    }

    @Test
    void create_givesADeviceWithoutLimits_afterItWasPartOfAFailingDisk() throws IOException {
        Needs.loopDisks();
        for (int round = 0; round < 3; round++) {
            FailingDisk.create(FailingDisk.Failure.DATA).close();
            try (LabDisk disk = LabDisk.create(DiskOptions.forCuts())) {
                Path queue = Path.of("/sys/block",
                        Path.of(disk.image().orElseThrow().device()).getFileName().toString(),
                        "queue");
                assertThat(queue.resolve("max_sectors_kb")).hasSameTextualContentAs(queue.resolve("max_hw_sectors_kb"));
            }
        }
    }

    @Test
    void close_leavesNothingBehind() throws IOException {
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts().placed(place))) {
            Files.writeString(disk.root().resolve("file"), "content");
        }
        assertThat(place).isEmptyDirectory();
        assertThat(Mount.under(place.toRealPath())).isEmpty();
    }

    @Test
    void close_succeeds_whenAFileIsStillOpen() throws IOException {
        LabDisk disk = LabDisk.create(DiskOptions.forCuts().placed(place));
        try (var open = Files.newOutputStream(disk.root().resolve("file"))) {
            open.write(1);
            disk.close();
            assertThat(place).isEmptyDirectory();
        }
    }

    @Test
    void create_leavesNothingBehind_whenItFails() {
        Needs.loopDisks();
        assertThatThrownBy(() -> LabDisk.create(DiskOptions.forCuts().placed(place), image -> {
            throw new IOException("no contents");
        })).hasMessage("no contents");
        assertThat(place).isEmptyDirectory();
    }

    @Test
    void options_refuseSizesThatCannotBe() {
        assertThatThrownBy(() -> DiskOptions.forCuts().sized(1 << 20)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DiskOptions(place, 64 << 20, 40, 5)).isInstanceOf(IllegalArgumentException.class);
    }
}
