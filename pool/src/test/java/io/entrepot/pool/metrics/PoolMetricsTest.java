package io.entrepot.pool.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolObserver;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.TenantDisabledException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.StoreConfig;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolMetricsTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final Pattern DOCUMENTED = Pattern.compile("^\\| `([a-z.]+)` \\|", Pattern.MULTILINE);

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private Path directory;
    private Pool pool;

    @BeforeEach
    void open(@TempDir Path temporary) throws InterruptedException {
        directory = temporary.resolve("data");
        pool = Pool.open(PoolConfig.in(directory).withTenants(List.of(ACME, OTHER)).withSyncEvery(Duration.ofMillis(20))
                .withPlatform(PoolConfig.Platform.system().withStore(StoreConfig.of().withSync(false))));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void counters_whenFilesComeAndGo_countThem() throws Exception {
        new PoolMetrics(pool).bindTo(registry);
        for (int i = 0; i < 4; i++) {
            write(ACME, "12345");
        }
        write(OTHER, "1");
        ClaimOrder order = ClaimOrder.of(ACME, "worker").withMax(10).withIdempotencyKey("k");
        List<ClaimedFile> claimed = pool.work().claim(order);
        assertThat(pool.work().claim(order)).as("repeated, and not counted again").isEqualTo(claimed);
        pool.work().complete(claimed.get(0).lease());
        pool.work().complete(claimed.get(0).lease()); // counts once
        pool.work().completeAll(List.of(claimed.get(1).lease()));
        pool.work().fail(claimed.get(2).lease(), "no");
        pool.work().failForGood(claimed.get(3).lease(), "no");
        pool.work().release(pool.work().claim(OTHER, "worker").orElseThrow().lease());

        assertThat(count("files.written", "acme")).isEqualTo(4);
        assertThat(count("files.written", "other")).isEqualTo(1);
        assertThat(count("bytes.written", "acme")).isEqualTo(20);
        assertThat(count("files.claimed", "acme")).isEqualTo(4);
        assertThat(count("files.completed", "acme")).isEqualTo(2);
        assertThat(count("files.failed", "acme")).isEqualTo(1);
        assertThat(count("files.given.up", "acme")).isEqualTo(1);
        assertThat(count("files.released", "other")).isEqualTo(1);
        assertThat(registry.get("entrepot.pool.write").tag("error", "none").timer().count()).isEqualTo(5);
        assertThat(registry.get("entrepot.pool.claim").tag("error", "none").timer().count()).isEqualTo(3);
        assertThat(registry.get("entrepot.pool.complete").tag("error", "none").timer().count()).isEqualTo(3);
        assertThat(registry.get("entrepot.pool.fail").tag("error", "none").timer().count()).isEqualTo(2);
    }

    @Test
    void timers_whenCallsAreRefused_haveTheCode() {
        new PoolMetrics(pool).bindTo(registry);
        pool.tenants().disable(ACME);

        assertThatThrownBy(() -> write(ACME, "x")).isInstanceOf(TenantDisabledException.class);
        assertThatThrownBy(() -> pool.work().claim(ACME, "worker")).isInstanceOf(TenantDisabledException.class);

        assertThat(registry.get("entrepot.pool.write").tag("error", "pool.tenant-disabled").timer().count())
                .isEqualTo(1);
        assertThat(registry.get("entrepot.pool.claim").tag("error", "pool.tenant-disabled").timer().count())
                .isEqualTo(1);
    }

    @Test
    void counters_whenALeaseRunsOut_countThat() throws Exception {
        new PoolMetrics(pool).bindTo(registry);
        write(ACME, "x");
        pool.work().claim(ClaimOrder.of(ACME, "worker").withTerm(Duration.ofMillis(10)));

        Awaitility.await().until(() -> registry.find("entrepot.pool.files.expired").tag("tenant", "acme")
                .counter() != null);

        assertThat(count("files.expired", "acme")).isEqualTo(1);
    }

    @Test
    void gauges_showHowThePoolIs() throws Exception {
        write(ACME, "12345");
        write(ACME, "12345");
        write(OTHER, "1");
        pool.work().claim(ACME, "worker");
        clock.add(Duration.ofMillis(System.currentTimeMillis() - clock.wallTime() + 90_000));
        new PoolMetrics(pool).bindTo(registry);

        assertThat(files("acme", "pending")).isEqualTo(1);
        assertThat(files("acme", "processing")).isEqualTo(1);
        assertThat(files("other", "pending")).isEqualTo(1);
        assertThat(gauge("bytes", "tenant", "acme")).isEqualTo(10);
        assertThat(gauge("oldest", "tenant", "acme")).isBetween(80.0, 100.0);
        assertThat(gauge("volume.files", "volume", "main")).isEqualTo(3);
        assertThat(gauge("volume.healthy", "volume", "main")).isEqualTo(1);
        assertThat(gauge("volume.total", "volume", "main")).isGreaterThan(gauge("volume.free", "volume", "main"));
        assertThat(gauge("volume.in.flight", "volume", "main")).isZero();
        assertThat(registry.get("entrepot.pool.database.available").gauge().value())
                .isEqualTo(registry.get("entrepot.pool.database.free").gauge().value() - (32 << 20)).isPositive();
        Awaitility.await().until(() -> {
            clock.add(Duration.ofSeconds(10));
            return registry.get("entrepot.pool.redo").gauge().value() == 0;
        });
        pool.jobs().trigger(new io.entrepot.pool.job.JobName("probe-volumes")).handle().await(Duration.ofSeconds(10));
        clock.add(Duration.ofSeconds(10));
        assertThat(registry.get("entrepot.pool.job.runs").tag("job", "probe-volumes").functionCounter().count())
                .isGreaterThanOrEqualTo(1);
    }

    @Test
    void gauges_whenTenantsAndVolumesComeAndGo_comeAndGoWithThem() throws Exception {
        PoolMetrics metrics = new PoolMetrics(pool);
        metrics.bindTo(registry);
        TenantId late = new TenantId("late");
        pool.tenants().create(late, TenantLimits.NONE);
        pool.volumes().mount(VolumeSpec.of("second", directory.resolveSibling("second")));
        assertThat(registry.find("entrepot.pool.bytes").tag("tenant", "late").gauge()).isNull();

        look();
        assertThat(gauge("bytes", "tenant", "late")).isZero();
        assertThat(gauge("volume.files", "volume", "second")).isZero();

        pool.tenants().delete(late, true);
        pool.volumes().unmount("second");
        look();
        assertThat(registry.find("entrepot.pool.bytes").tag("tenant", "late").gauge()).isNull();
        assertThat(registry.find("entrepot.pool.volume.files").tag("volume", "second").gauge()).isNull();
        metrics.close();
        assertThat(registry.find("entrepot.pool.bytes").gauges()).isEmpty();
    }

    @Test
    void tenants_whenThereAreMany_areSummedUp() throws Exception {
        new PoolMetrics(pool, 1).bindTo(registry);
        write(ACME, "12");
        write(OTHER, "123");
        look();

        assertThat(gauge("bytes", "tenant", "acme")).isEqualTo(2);
        assertThat(gauge("bytes", "tenant", "others")).isEqualTo(3);
        assertThat(count("bytes.written", "others")).isEqualTo(3);
        SimpleMeterRegistry whole = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
        new PoolMetrics(pool, 0).bindTo(whole);
        assertThat(whole.get("entrepot.pool.bytes").tag("tenant", "all").gauge().value()).isEqualTo(5);
        assertThat(whole.find("entrepot.pool.bytes").gauges()).hasSize(1);
    }

    @Test
    void quotas_showWhatIsUsedAndWarnedOf() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(4).withBytes(10).warningAt(50));
        pool.quotas().set(QuotaRule.of("acme/in", 10).warningAt(10));
        new PoolMetrics(pool).bindTo(registry);
        write(ACME, "12");
        write(ACME, "1234"); // more than half of the bytes
        write(ACME, "1"); // more than half of the files
        for (int i = 0; i < 2; i++) {
            pool.files().write(OTHER, NewFile.unnamed().in("in"), new byte[1]); // no rule holds there
        }
        look();

        assertThat(quota("used", "acme", "files")).isEqualTo(3);
        assertThat(quota("limit", "acme", "files")).isEqualTo(4);
        assertThat(quota("share", "acme", "files")).isEqualTo(0.75);
        assertThat(quota("share", "acme", "bytes")).isEqualTo(0.7);
        assertThat(count("quota.warnings", "acme")).isEqualTo(2);
        assertThat(registry.find("entrepot.pool.quota.limit").tag("tenant", "other").gauge()).isNull();
        assertThat(registry.find("entrepot.pool.quota.warnings").tag("tenant", "other").counter()).isNull();

        pool.files().write(ACME, NewFile.unnamed().in("in"), new byte[1]);
        pool.tenants().setLimits(ACME, TenantLimits.NONE);
        pool.files().write(ACME, NewFile.unnamed().in("in"), new byte[1]); // more than a tenth of the directory
        look();
        assertThat(count("quota.warnings", "acme")).isEqualTo(3);
        assertThat(registry.find("entrepot.pool.quota.limit").gauges()).isEmpty();
    }

    @Test
    void quotas_ofTenantsThatAreSummedUp_haveTheLargestShare() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(2));
        pool.tenants().setLimits(OTHER, TenantLimits.NONE.withFiles(10));
        write(ACME, "1");
        write(OTHER, "1");
        new PoolMetrics(pool, 0).bindTo(registry);

        assertThat(quota("used", "all", "files")).isEqualTo(2);
        assertThat(quota("limit", "all", "files")).isEqualTo(12);
        assertThat(quota("share", "all", "files")).isEqualTo(0.5);
    }

    @Test
    void imports_areCountedByWatcher() throws Exception {
        Path folder = Files.createDirectories(directory.resolveSibling("in"));
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withBytes(10));
        pool.tenants().setRetry(ACME, Optional.of(RetryPolicy.fixed(Duration.ZERO, 1)));
        new PoolMetrics(pool).bindTo(registry);
        Files.writeString(folder.resolve("good.txt"), "12345");
        Files.writeString(folder.resolve("large.txt"), "more than it may ever have");
        pool.watchers().add(WatcherSpec.ofTenant("in", ACME, folder).withMinFileAge(Duration.ofMillis(10)));

        Awaitility.await().until(() -> registry.find("entrepot.pool.import.files").counter() != null
                && registry.find("entrepot.pool.import.failures").counter() != null);
        look();

        assertThat(registry.get("entrepot.pool.import.files").tag("watcher", "in").counter().count()).isEqualTo(1);
        assertThat(registry.get("entrepot.pool.import.bytes").tag("watcher", "in").counter().count()).isEqualTo(5);
        assertThat(registry.get("entrepot.pool.import.failures").tag("watcher", "in").counter().count()).isEqualTo(1);
        assertThat(gauge("import.parked", "watcher", "in")).isEqualTo(1);
        assertThat(gauge("import.retrying", "watcher", "in")).isZero();
    }

    @Test
    void gauges_whenThePoolCannotBeRead_haveNoValue() throws Exception {
        new PoolMetrics(pool).bindTo(registry);
        pool.close();
        clock.add(Duration.ofSeconds(10));

        assertThat(gauge("bytes", "tenant", "acme")).isNaN();
    }

    @Test
    void documentation_namesAllThereAre() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(1));
        pool.watchers().add(WatcherSpec.ofTenant("in", ACME, directory.resolveSibling("in")));
        new PoolMetrics(pool).bindTo(registry);
        Counts counts = new Counts(registry, NameTags.ofTenants(1), NameTags.ofWatchers(1));
        for (PoolObserver.Fate fate : PoolObserver.Fate.values()) {
            counts.files(fate, ACME, 1, 1);
        }
        for (PoolObserver.Import what : PoolObserver.Import.values()) {
            counts.imports(what, "in", 1, 1);
        }
        counts.quotaWarned(ACME);
        Set<String> there = new TreeSet<>(
                registry.getMeters().stream().map(Meter::getId).map(Meter.Id::getName).toList());

        assertThat(documented()).as("docs/metrics.md").isEqualTo(there);
    }

    private static Set<String> documented() throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher matcher = DOCUMENTED.matcher(Files.readString(Path.of("../docs/metrics.md")));
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    /** As somebody who scrapes, when the last reading is old. */
    private void look() {
        clock.add(Duration.ofSeconds(10));
        registry.getMeters().forEach(meter -> meter.measure().forEach(measurement -> measurement.getValue()));
    }

    private void write(TenantId tenant, String content) throws InterruptedException {
        pool.files().write(tenant, NewFile.unnamed(), content.getBytes(UTF_8));
    }

    private double count(String name, String tenant) {
        return registry.get("entrepot.pool." + name).tag("tenant", tenant).counter().count();
    }

    private double quota(String name, String tenant, String of) {
        return registry.get("entrepot.pool.quota." + name).tags("tenant", tenant, "of", of).gauge().value();
    }

    private double files(String tenant, String state) {
        return registry.get("entrepot.pool.files").tags("tenant", tenant, "state", state).gauge().value();
    }

    private double gauge(String name, String tag, String value) {
        return registry.get("entrepot.pool." + name).tag(tag, value).gauge().value();
    }
}
