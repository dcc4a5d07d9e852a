package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.ScanFailedException;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.PosixException;
import io.entrepot.store.Faults;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Small sources are imported many at once; with whatever is the matter with some of them, it is as if it were one by one. */
class BatchImportTest extends WatchFolder {
    private static final int MANY = 300;

    private volatile boolean brokenSync;
    private volatile boolean brokenDatabase;

    BatchImportTest() {
        super(PoolFixture.SQLITE);
    }

    @Override
    FileCalls calls() {
        return new DeafCalls(new HookedCalls((call, directory) -> {
            if (brokenSync && call.equals("syncFileSystem")) {
                throw new PosixException(call, directory.toString(), Errno.EIO, "the disk is broken");
            }
            return true;
        }));
    }

    @Test
    void import_ofManySmallOnes_sharesSyncsAndNeedsNoSecondCopy() throws Exception {
        AtomicInteger commits = new AtomicInteger();
        putMany();
        pool.watchers().add(spec());
        faults = point -> {
            if (point == PoolFaults.Point.WRITTEN) {
                commits.incrementAndGet();
            }
        };

        assertThat(scan()).isEqualTo(MANY);

        assertThat(commits).hasValueLessThan(20);
        assertThat(left(folder)).isEmpty();
        assertThat(left(directory.resolve("files")).stream().filter(path -> path.startsWith("acme"))).hasSize(MANY);
        assertThat(pool.check().problems()).isEmpty();
    }

    @Test
    void import_whenOnlySomeMayEnter_bringsInTheseAndNoMore() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(MANY - 50));
        putMany();
        pool.watchers().add(spec());

        assertThat(scan()).isEqualTo(MANY - 50);

        assertThat(left(folder)).hasSize(50);
        assertThat(left(directory.resolve("files")).stream().filter(path -> path.startsWith("acme")))
                .hasSize(MANY - 50);
        assertThat(pool.watchers().status(IN).problems()).anyMatch(problem -> problem.what().contains("quota"));
        pool.tenants().setLimits(ACME, TenantLimits.NONE);
        assertThat(scan()).isEqualTo(50);
        assertThat(pool.check().problems()).isEmpty();
    }

    @Test
    void import_whenTheVolumeCannotBeSynced_waitsAndIsOnce() throws Exception {
        putMany();
        pool.watchers().add(spec());
        brokenSync = true;
        scan();
        assertThat(pool.tenants().usage(ACME).files()).isZero();
        assertThat(left(folder)).hasSize(MANY);
        brokenSync = false;
        pool.volumes().probe();

        assertThat(scan()).isEqualTo(MANY);

        assertThat(pool.tenants().usage(ACME).files()).isEqualTo(MANY);
        assertThat(left(folder)).isEmpty();
    }

    @Test
    void import_whenNothingElseHasRoom_addsASpareAndGoesThere() throws Exception {
        pool.volumes().mount(VolumeSpec.of("spare", directory.resolve("spare")).withHeadroom(0).asSpare());
        pool.volumes().setHeadroom("main", 2 * pool.volumes().get("main").free());
        putMany();
        pool.watchers().add(spec());

        assertThat(scan()).isEqualTo(MANY);

        assertThat(pool.volumes().get("spare").files()).isEqualTo(MANY);
        assertThat(left(folder)).isEmpty();
        assertThat(events()).containsOnlyOnce("volume.spare-added");
    }

    @Test
    void import_whenTheDatabaseFailsBeforeABatchIsPlaced_keepsNoRoomOnTheVolume() throws Exception {
        config = config.withPlatform(config.platform().withStore(config.platform().store().withFaults(point -> {
            if (brokenDatabase && point == Faults.Point.BEGUN) {
                throw new IllegalStateException("the database is broken");
            }
        })));
        reopen();
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")).withHeadroom(0));
        pool.volumes().setReadOnly("main");
        putMany();
        pool.watchers().add(spec());
        pool.watchers().scanNow(IN);
        clocks.pass(AGE);
        brokenDatabase = true; // no numbers were taken yet, so the first of the batch needs it
        assertThatThrownBy(() -> pool.watchers().scanNow(IN)).isInstanceOf(ScanFailedException.class);
        brokenDatabase = false;

        assertThat(pool.volumes().get("second").inFlight()).isZero();
        pool.volumes().unmount("second");

        pool.volumes().activate("main");
        assertThat(scan()).isEqualTo(MANY);
    }

    @ParameterizedTest
    @EnumSource(names = {"PLACED", "AFTER_SYNC", "WRITTEN", "IMPORT_RECORDED"})
    void import_whenABatchIsCutShort_isOnceAllTheSame(PoolFaults.Point where) throws Exception {
        AtomicInteger reached = new AtomicInteger();
        putMany();
        pool.watchers().add(spec());
        pool.watchers().scanNow(IN);
        clocks.pass(AGE);
        faults = point -> {
            if (point == where && reached.incrementAndGet() == 2) {
                throw new IllegalStateException("cut short");
            }
        };
        try {
            pool.watchers().scanNow(IN);
        } catch (RuntimeException e) {
            assertThat(e).hasMessageContaining("cut short");
        }
        assertThat(reached).hasValueGreaterThan(1);
        reopen();

        scan();

        assertThat(pool.tenants().usage(ACME).files()).isEqualTo(MANY);
        assertThat(left(folder)).isEmpty();
    }

    private void putMany() throws Exception {
        for (int i = 0; i < MANY; i++) {
            put("d" + i % 7 + "/f" + i, "content " + i);
        }
    }
}
