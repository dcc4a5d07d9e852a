package io.entrepot.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class MountPointsTest {
    private static final String TABLE = """
                                        22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
                                        30 22 0:25 / /mnt/a\\040b rw shared:5 master:2 - nfs4 server:/export\\040x rw,vers=4.2
                                        31 22 0:26 / /mnt rw - tmpfs tmpfs rw
                                        32 22 259:70000 / /mnt/\\134\\012\377 rw - xfs /dev/nvme0n1 rw
                                        33 31 0:28 / /mnt rw - fuse.sshfs host: rw
                                        34 22 0:4 net:[4026532000] /run/netns/x rw - nsfs nsfs rw
                                        nonsense
                                        35 22 x:y / /bad rw - ext4 /dev/x rw
                                        """;

    private final MountPoints mounts = MountPoints.parse(TABLE.getBytes(StandardCharsets.ISO_8859_1));

    @Test
    void of_whenMountsLieInEachOther_isTheInnermostAndLast() {
        assertThat(mounts.of(BytePath.of("/home/x")).orElseThrow().type()).isEqualTo("ext4");
        assertThat(mounts.of(BytePath.of("/mnt/x")).orElseThrow().type()).isEqualTo("fuse.sshfs");
        assertThat(mounts.of(BytePath.of("/mnt/a b/deep/down")).orElseThrow())
                .isEqualTo(new Mount(30, BytePath.of("/mnt/a b"), "nfs4", "server:/export x", 25));
        assertThat(mounts.of(BytePath.of("/mnt/a")).orElseThrow().id()).isEqualTo(33);
        assertThatIllegalArgumentException().isThrownBy(() -> mounts.of(BytePath.of("mnt")));
    }

    @Test
    void parse_whenThereAreOctals_givesTheBytes() {
        Mount odd = mounts.byId(32).orElseThrow();
        assertThat(odd.point()).isEqualTo(BytePath.parse("/mnt/\\\\\\x0a\\xff"));
        assertThat(odd.device()).isEqualTo((70000L >> 8 << 20) | 259L << 8 | (70000 & 0xff));
    }

    @Test
    void parse_whenALineIsNoMount_leavesItOut() {
        assertThat(mounts.all()).extracting(Mount::id).containsExactly(22L, 30L, 31L, 32L, 33L, 34L);
    }

    @Test
    void isRemote_isByTheType() {
        assertThat(mounts.all().stream().filter(Mount::isRemote)).extracting(Mount::id).containsExactly(30L, 33L);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void read_onLinux_agreesWithStat() throws IOException {
        FileCalls calls = FileCalls.system();
        Path here = Files.createTempDirectory("mount").toRealPath();
        try (Directory directory = calls.openDirectory(BytePath.of(here))) {
            Stat stat = directory.stat();
            Mount mount = calls.mountOf(BytePath.of(here).resolve(Name.of("not there")));
            assertThat(stat.mountId()).hasValue(mount.id());
            assertThat(MountPoints.read().byId(mount.id())).contains(mount);
            assertThat(FileCalls.nio().mountOf(BytePath.of(here)).type()).isEqualTo(mount.type());
        } finally {
            Files.delete(here);
        }
    }
}
