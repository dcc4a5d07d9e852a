package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.watch.ParkedImport;
import io.entrepot.pool.watch.SkipReason;
import io.entrepot.pool.watch.WatcherSpec;
import java.nio.file.Files;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What cannot be imported now: it is the file's own fault and counts, or it is not and the file waits. */
abstract class ImportTroubleContract extends WatchFolder {

    ImportTroubleContract(PoolFixture fixture) {
        super(fixture);
    }

    @Test
    void failure_ofTheFilesOwn_isRetriedParkedAndTriedAgainWhenAsked() throws Exception {
        faults = point -> {
            if (point == PoolFaults.Point.PLACED) {
                throw new IllegalStateException("no luck");
            }
        };
        pool.watchers().add(spec());
        put("a.txt", "a");
        scan();
        assertThat(pool.watchers().status(IN).failed()).isEqualTo(1);
        assertThat(scanAfter(Duration.ofMillis(4999))).isZero();
        assertThat(pool.watchers().status(IN).skipped()).containsEntry(SkipReason.RETRYING, 1L);
        scanAfter(Duration.ofMillis(1));
        reopen();
        scanAfter(Duration.ofSeconds(10));

        assertThat(pool.watchers().parked(IN)).singleElement().satisfies(parked -> {
            assertThat(parked.path()).isEqualTo("a.txt");
            assertThat(parked.attempts()).isEqualTo(3);
            assertThat(parked.error()).contains("no luck");
            assertThat(parked.tenant()).isEqualTo("acme");
        });
        assertThat(events()).containsSubsequence("import.failed", "import.failed", "import.parked");
        faults = PoolFaults.NONE;
        assertThat(scanAfter(Duration.ofHours(1))).isZero();
        assertThat(pool.watchers().retry(IN, "b.txt")).isFalse();
        assertThat(pool.watchers().retry(IN, "a.txt")).isTrue();
        assertThat(pool.watchers().scanNow(IN)).isEqualTo(1);
        assertThat(pool.watchers().parked(IN)).isEmpty();
    }

    /** Nothing is remembered of each, however many they are: it is the quota that is to blame. */
    @Test
    void import_whenAQuotaIsReached_waitsWithoutCountingUntilThereIsRoom() throws Exception {
        pool.tenants().setLimits(ACME, new TenantLimits(OptionalLong.of(3), OptionalLong.empty(), 0));
        pool.quotas().set(QuotaRule.of("other/*", 1));
        pool.watchers().add(WatcherSpec.ofAllTenants("in", folder));
        for (int i = 0; i < 50; i++) {
            put("acme/" + i + ".txt", "a" + i);
        }
        put("other/d/1.txt", "1");
        put("other/d/2.txt", "2");
        put("other/e/3.txt", "3");
        assertThat(scan()).isEqualTo(3 + 2);
        for (int i = 0; i < 5; i++) {
            assertThat(scan()).isZero();
        }

        assertThat(pool.watchers().status(IN).skipped()).containsEntry(SkipReason.QUOTA_WAITS, 48L);
        assertThat(pool.watchers().status(IN).failed()).isZero();
        assertThat(pool.watchers().parked(IN)).isEmpty();
        assertThat(events()).doesNotContain("import.failed");
        assertThat(pool.watchers().status(IN).problems()).anyMatch(problem -> problem.what().contains("3 files"));
        pool.tenants().setLimits(ACME, TenantLimits.NONE);
        pool.quotas().remove("other/*");
        assertThat(scan()).isEqualTo(48);
    }

    @Test
    void import_ofAFileThatIsTooLargeForItsTenant_isParkedUntilItsLimitIsRaised() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withBytes(10));
        pool.watchers().add(spec());
        put("large.txt", "12345678901");
        put("small.txt", "1234567890");
        assertThat(scan()).as("the other one").isEqualTo(1);
        scanAfter(Duration.ofSeconds(5));
        scanAfter(Duration.ofSeconds(10));
        assertThat(pool.watchers().parked(IN)).singleElement().satisfies(parked -> {
            assertThat(parked.path()).isEqualTo("large.txt");
            assertThat(parked.error()).contains("may have 10 bytes in all", "has 11");
        });
        pool.tenants().setLimits(ACME, TenantLimits.NONE);
        assertThat(pool.watchers().retry(IN, "large.txt")).isTrue();
        assertThat(pool.watchers().scanNow(IN)).isEqualTo(1);
    }

    @Test
    void import_ofAFileThatIsTooLargeForItsTenant_isParked_whenThereIsNoRoomForSmallerOnesEither() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withBytes(10).withFiles(1));
        pool.watchers().add(spec());
        put("first.txt", "123456");
        assertThat(scan()).isEqualTo(1);
        put("waits.txt", "123456");
        assertThat(scan()).isZero();
        put("large.txt", "12345678901");
        scan();
        scanAfter(Duration.ofSeconds(5));
        scanAfter(Duration.ofSeconds(10));
        assertThat(pool.watchers().parked(IN)).singleElement()
                .satisfies(parked -> assertThat(parked.path()).isEqualTo("large.txt"));
        assertThat(pool.watchers().status(IN).skipped()).containsEntry(SkipReason.QUOTA_WAITS, 1L);
    }

    private long scanAfter(Duration time) throws InterruptedException {
        clocks.pass(time);
        return pool.watchers().scanNow(IN);
    }

    @Test
    void parked_whenTheSourceChangesOrGoes_isForgotten() throws Exception {
        faults = point -> {
            if (point == PoolFaults.Point.PLACED) {
                throw new IllegalStateException("no luck");
            }
        };
        pool.watchers().add(spec());
        put("a.txt", "a");
        put("b.txt", "b");
        for (int i = 0; i < 5; i++) {
            scan();
            clocks.pass(Duration.ofSeconds(20));
        }
        assertThat(pool.watchers().parked(IN)).extracting(ParkedImport::path).containsExactly("a.txt", "b.txt");
        faults = PoolFaults.NONE;
        assertThat(scan()).isZero();

        put("a.txt", "changed");
        Files.delete(folder.resolve("b.txt"));
        assertThat(scan()).isEqualTo(1);

        assertThat(pool.watchers().parked(IN)).isEmpty();
        assertThat(contents(ACME)).containsExactly("changed");
    }

    @Test
    void import_whenTheTenantIsDisabledOrSuspended_waitsWithoutCounting() throws Exception {
        pool.watchers().add(WatcherSpec.ofAllTenants("in", folder));
        put("acme/a.txt", "a");
        put("other/b.txt", "b");
        pool.tenants().disable(ACME);
        assertThat(scan()).isEqualTo(1);
        pool.tenants().suspend(ACME);
        for (int i = 0; i < 5; i++) {
            assertThat(scan()).isZero();
        }
        assertThat(pool.watchers().status(IN).skipped()).containsEntry(SkipReason.TENANT_WAITS, 1L);
        assertThat(pool.watchers().parked(IN)).isEmpty();

        pool.tenants().enable(ACME);
        assertThat(scan()).isEqualTo(1);
        assertThat(contents(ACME)).containsExactly("a");
    }

    @Test
    void import_whenNoVolumeTakesFiles_waitsWithoutCounting() throws Exception {
        pool.watchers().add(spec());
        put("a.txt", "a");
        pool.volumes().setReadOnly("main");
        for (int i = 0; i < 5; i++) {
            assertThat(scan()).isZero();
        }
        assertThat(pool.watchers().status(IN).skipped()).containsEntry(SkipReason.STORAGE_WAITS, 1L);
        assertThat(pool.watchers().status(IN).failed()).isZero();

        pool.volumes().activate("main");
        assertThat(scan()).isEqualTo(1);
    }
}
