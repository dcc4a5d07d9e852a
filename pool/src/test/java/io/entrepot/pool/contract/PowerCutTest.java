package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDisk;
import io.entrepot.lab.PowerCut;
import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a power cut must not take, where nothing but its own sync keeps it: the rounds of the volumes, which sync everything on their file
 * system, are an hour apart here. What files and their steps go through otherwise is cut in {@code chaos}.
 */
class PowerCutTest {
    private static final TenantId TENANT = TenantId.DEFAULT;

    @BeforeEach
    void needs() {
        assumeTrue(LabDisk.obstacle().isEmpty(), () -> LabDisk.obstacle().orElse(""));
    }

    private static PoolConfig config(LabDisk disk) {
        return PoolConfig.in(disk.root().resolve("pool")).withSyncEvery(Duration.ofHours(1));
    }

    @Test
    void append_whenItHasReturned_isThereAfterAPowerCut() throws Exception {
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts()); Pool pool = Pool.open(config(disk))) {
            UploadId upload = pool.uploads().begin(TENANT, NewFile.named("film.mp4"));
            pool.uploads().append(TENANT, upload, 0, "first ".getBytes(UTF_8));
            pool.uploads().append(TENANT, upload, 6, "second".getBytes(UTF_8));

            try (LabDisk after = PowerCut.of(disk); Pool again = Pool.open(config(after))) {
                assertThat(again.uploads().status(TENANT, upload).offset()).isEqualTo(12);
                FileKey key = again.uploads().finish(TENANT, upload).key();
                assertThat(content(again, key)).isEqualTo("first second");
            }
        }
    }

    @Test
    void export_whenTheFileHasGoneFromThePool_isThereAfterAPowerCut() throws Exception {
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts())) {
            Path exports = disk.root().resolve("exports");
            CleanupConfig exporting = CleanupConfig.DEFAULT.withCompletedRetention(Optional.of(Duration.ZERO),
                    Optional.of(exports));
            try (Pool pool = Pool.open(config(disk).withCleanup(exporting))) {
                FileKey key = pool.files().write(TENANT, NewFile.named("small.txt"), "kept".getBytes(UTF_8)).key();
                pool.work().completeAndKeep(pool.work().claim(TENANT, "worker").orElseThrow().lease());
                pool.cleanup().completedRecords(Duration.ZERO, false).await();
                assertThat(pool.files().find(TENANT, key)).isEmpty();

                try (LabDisk after = PowerCut.of(disk)) {
                    Path copy = after.root().resolve("exports").resolve(TENANT.name()).resolve(key + ".txt");
                    assertThat(Files.readString(copy, UTF_8)).isEqualTo("kept");
                }
            }
        }
    }

    private static String content(Pool pool, FileKey key) throws IOException, InterruptedException {
        try (FileContent content = pool.files().open(TENANT, key); InputStream in = content.stream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
