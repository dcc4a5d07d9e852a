package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.VolumeLoss;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobState;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Tenants with databases of their own have their files moved too. */
class ShardedDrainTest extends PoolContract {
    private static final TenantId APART = new TenantId("apart");

    ShardedDrainTest() {
        super(PoolFixture.SQLITE);
    }

    @Test
    void drain_whenATenantHasAShard_movesItsFilesToo() throws Exception {
        pool.tenants().createWithShard(APART, TenantLimits.NONE);
        FileKey apart = write(APART, "apart");
        FileKey acme = write(ACME, "acme");
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));

        assertThat(DrainContract.ended(pool.volumes().drain("main")).result())
                .contains("moved 2 files with 9 bytes");

        pool.volumes().unmount("main");
        assertThat(read(APART, apart)).isEqualTo("apart");
        assertThat(read(ACME, acme)).isEqualTo("acme");
        assertThat(pool.quotas().recount(APART).corrections()).isEmpty();
    }

    @Test
    void giveUp_whenATenantHasAShard_takesItsFilesOutToo() throws Exception {
        pool.tenants().createWithShard(APART, TenantLimits.NONE);
        write(APART, "apart");
        write(ACME, "acme");
        pool.volumes().sync();
        Files.move(directory.resolve("files"), directory.resolve("away"));
        pool.volumes().probe();

        JobHandle handle = pool.volumes().giveUp("main", false);

        assertThat(DrainContract.ended(handle).state()).isEqualTo(JobState.DONE);
        assertThat(handle.kept(VolumeLoss.class).orElseThrow().tenants())
                .containsExactly(new VolumeLoss.Loss(ACME, 1, 4), new VolumeLoss.Loss(APART, 1, 5));
        assertThat(pool.volumes().list()).isEmpty();
        assertThat(pool.tenants().usage(APART).files()).isZero();
        assertThat(pool.quotas().recount(APART).corrections()).isEmpty();
        assertThat(pool.check().problems()).isEmpty();
    }

    /** Its events, among others, could not be told apart from the pool's own. */
    @Test
    void create_ofAShardThatIsCalledLikeTheMainDatabase_isRefused() {
        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> pool.tenants().createWithShard(new TenantId("main"), TenantLimits.NONE));
        pool.tenants().create(new TenantId("main"));
    }

    @Test
    void write_whenATenantWasDeletedAndMadeAgain_itsDirectoriesAreKnownAfterwards() throws Exception {
        write(ACME, "old");
        pool.tenants().delete(ACME, true);
        pool.tenants().create(ACME);
        FileKey key = write(ACME, "new");

        reopen();

        assertThat(pool.files().get(ACME, key).directory()).isEqualTo(LogicalDirectory.ROOT);
    }
}
