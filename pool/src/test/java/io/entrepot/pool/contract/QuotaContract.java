package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.DirectoryQuotaExceededException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.store.Advice;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Quotas are exact. */
abstract class QuotaContract extends PoolContract {

    QuotaContract(PoolFixture fixture) {
        super(fixture);
    }

    @Test
    void write_whenAHundredComeAtOnceAndTenMay_tenAreThere() throws Exception {
        pool.quotas().set(QuotaRule.of("acme/in", 10));

        Crowd<Integer> crowd = Crowd.start(100, _ -> {
            try {
                write(ACME, NewFile.unnamed().in("in"), "x");
                return 1;
            } catch (DirectoryQuotaExceededException e) {
                return 0;
            }
        });

        assertThat(crowd.results().stream().mapToInt(Integer::intValue).sum()).isEqualTo(10);
        assertThat(pool.quotas().fileCount(ACME, new LogicalDirectory("in"))).isEqualTo(10);
        Awaitility.await().until(() -> onDisk(ACME).size() == 10); // those that were refused are called back
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
        pool.work().complete(claim(ACME).lease());
        write(ACME, NewFile.unnamed().in("in"), "x");
        assertThat(pool.quotas().canAddFile(ACME, new LogicalDirectory("in"))).isFalse();
    }

    private static TenantQuotaExceededException refusal(ThrowingCallable call) {
        return catchThrowableOfType(TenantQuotaExceededException.class, call);
    }

    @Test
    void write_whenTheTenantHasNoFilesOrBytesLeft_isRefused() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(3).withBytes(10));
        write(ACME, "12345");

        assertThat(refusal(() -> write(ACME, "123456")).advice()).isSameAs(Advice.RETRY);
        assertThat(refusal(() -> write(ACME, "12345678901")).advice()).as("it will never fit").isSameAs(Advice.GIVE_UP);
        write(ACME, "12345");
        write(ACME, "");
        assertRefused(TenantQuotaExceededException.class, "pool.tenant-quota-exceeded", () -> write(ACME, ""));
        assertThat(pool.tenants().usage(ACME).bytes()).isEqualTo(10);
        write(OTHER, "1234567890");
        pool.tenants().setLimits(ACME, TenantLimits.NONE);
        write(ACME, "1234567890");
    }

    @Test
    void rule_mostSpecificFirst_thenInherited_unlessSwitchedOff() {
        pool.quotas().set(QuotaRule.of("ac*/files/*", 5));
        pool.quotas().set(QuotaRule.of("acme/files/vip", 50));
        pool.quotas().set(QuotaRule.of("acme/flat", 7).withInherited(false));

        assertThat(limit("files/a")).isEqualTo(5);
        assertThat(limit("files/vip")).isEqualTo(50);
        assertThat(limit("files/vip/deep/er")).isEqualTo(50);
        assertThat(limit("files/a/b")).isEqualTo(5);
        assertThat(limit("files")).isEqualTo(-1);
        assertThat(limit("flat")).isEqualTo(7);
        assertThat(limit("flat/below")).isEqualTo(-1);
        assertThat(pool.quotas().ruleFor(OTHER, new LogicalDirectory("files/a"))).isEmpty();
        pool.quotas().set(QuotaRule.of("acme/files/vip", 50).withEnabled(false));
        assertThat(limit("files/vip")).isEqualTo(5);
        assertThat(pool.quotas().remove("ac*/files/*")).isTrue();
        assertThat(limit("files/vip")).isEqualTo(-1);
    }

    private long limit(String directory) {
        return pool.quotas().ruleFor(ACME, new LogicalDirectory(directory)).map(QuotaRule::maxFiles).orElse(-1L);
    }

    @Test
    void write_whenTheSoftLimitIsPassed_warnsOnce() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(10).warningAt(50));
        for (int i = 0; i < 7; i++) {
            write(ACME, "x");
        }

        assertThat(Collections.frequency(events(), "quota.warning")).isEqualTo(1);
    }

    /** Each with what runs full. */
    private List<String> warnings() {
        return pool.events().after(0, 1000).stream().filter(event -> event.type().equals("quota.warning"))
                .map(event -> event.subject() + " " + event.body()).toList();
    }

    @Test
    void write_whenTheSoftLimitOfBytesIsPassed_warnsOnce() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withBytes(10).warningAt(50));

        write(ACME, "12345");
        assertThat(warnings()).as("no more than the soft limit").isEmpty();
        write(ACME, "67");
        write(ACME, "8");

        assertThat(warnings())
                .containsExactly("tenant acme bytes {\"used\":7,\"limit\":10,\"percent\":50}");
        pool.work().complete(claim(ACME).lease());
        write(ACME, "12345");
        assertThat(warnings()).as("it was below it meanwhile").hasSize(2).last()
                .isEqualTo("tenant acme bytes {\"used\":8,\"limit\":10,\"percent\":50}");
    }

    @Test
    void write_whenTheSoftLimitOfADirectoryIsPassed_warnsOnce() throws Exception {
        pool.quotas().set(QuotaRule.of("acme/in", 4).warningAt(50));

        for (int i = 0; i < 4; i++) {
            write(ACME, NewFile.unnamed().in("in"), "x");
            write(ACME, NewFile.unnamed().in("out"), "x");
        }

        assertThat(warnings())
                .containsExactly("directory in files {\"used\":3,\"limit\":4,\"percent\":50}");
    }

    @Test
    void write_whenNoPercentageIsSet_neverWarns() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(2).withBytes(2).warningAt(0));
        pool.quotas().set(QuotaRule.of("acme/in", 2).warningAt(0));

        write(ACME, NewFile.unnamed().in("in"), "x");
        write(ACME, NewFile.unnamed().in("in"), "x");

        assertThat(warnings()).isEmpty();
    }

    @Test
    void write_whenRefusedByTheQuota_comesBeforeVolumesAndNames() throws Exception {
        pool.quotas().set(QuotaRule.of("acme", 0));
        pool.volumes().setReadOnly("main");

        assertRefused(DirectoryQuotaExceededException.class, "pool.directory-quota-exceeded",
                () -> write(ACME, NewFile.named("a/b"), "x"));
        pool.quotas().remove("acme");
        assertRefused(PoolException.class, "pool.volume-unavailable", () -> write(ACME, NewFile.named("a/b"), "x"));
        pool.volumes().activate("main");
        assertRefused(PoolException.class, "pool.invalid-name", () -> write(ACME, NewFile.named("a/b"), "x"));
        pool.tenants().disable(ACME);
        pool.quotas().set(QuotaRule.of("acme", 0));
        assertRefused(PoolException.class, "pool.tenant-disabled", () -> write(ACME, NewFile.named("a/b"), "x"));
    }

    @Test
    void usage_listsDirectoriesThatHaveFiles() throws Exception {
        write(ACME, "x");
        write(ACME, NewFile.unnamed().in("b"), "x");
        write(ACME, NewFile.unnamed().in("a"), "x");
        pool.work().complete(claim(ACME).lease());
        reopen();

        assertThat(pool.quotas().usage(ACME)).extracting(usage -> usage.directory().path() + " " + usage.files())
                .containsExactly("a 1", "b 1");
    }

    @Test
    void write_whenTheRulesWereReadLongAgo_goesByThoseOfNow() throws Exception {
        write(ACME, NewFile.unnamed().in("in"), "x");
        clocks.pass(Duration.ofHours(1));
        write(ACME, NewFile.unnamed().in("in"), "x");
        pool.quotas().set(QuotaRule.of("acme/in", 2));
        clocks.pass(Duration.ofHours(1));

        assertRefused(DirectoryQuotaExceededException.class, "pool.directory-quota-exceeded",
                () -> write(ACME, NewFile.unnamed().in("in"), "x"));
        clocks.pass(Duration.ofHours(1));
        assertThat(pool.quotas().usage(ACME)).hasSize(1);
    }
}
