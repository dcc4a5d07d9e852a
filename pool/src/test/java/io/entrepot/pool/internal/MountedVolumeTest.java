package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.Location;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.LocalBackend;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.MountPools;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountedVolumeTest {

    /** A file system that is made read-only by its errors tells both, in any order, to those who were writing. */
    @Test
    void ails_whenItHasFailed_isNotTakenForOneThatCanBeRead(@TempDir Path root) throws Exception {
        MountedVolume volume = new MountedVolume(1, "v", Location.of(root), 2, 0, Instant.EPOCH, VolumeState.ACTIVE);
        try (MountPools mounts = new MountPools(FileCalls.system(), 2, BootClock.system());
                Backend backend = LocalBackend.open(FileCalls.system(), mounts, root,
                        LocalBackend.Settings.of("v").withCreate(true))) {
            volume.works(backend, new Backend.Space(1000, 500));
            assertThat(volume.ails(VolumeHealth.UNWRITABLE, "read-only")).isTrue();
            assertThat(volume.ails(VolumeHealth.FAILED, "sync failed")).isTrue();
            assertThat(volume.ails(VolumeHealth.UNWRITABLE, "read-only")).isFalse();

            assertThat(volume.health()).isEqualTo(VolumeHealth.FAILED);
            assertThat(volume.problem()).contains("sync failed");
        }
    }
}
