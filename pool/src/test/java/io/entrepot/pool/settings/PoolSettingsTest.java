package io.entrepot.pool.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Mistake;
import io.entrepot.config.Reference;
import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.Database;
import io.entrepot.pool.Location;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Placement;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Recovery;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantSpec;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.WatchMode;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.PostgresConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolSettingsTest {
    private static final Path REFERENCE = Path.of("../docs/configuration.md");
    private static final Path EXAMPLE = Path.of("../docs/examples/pool.toml");

    @TempDir
    private Path directory;

    @Test
    void load_whenNothingIsSaid_isTheDefault() throws Exception {
        PoolConfig loaded = load("");
        PoolConfig usual = PoolConfig.in(directory.resolve("data"));

        assertThat(loaded.withPlatform(usual.platform())).isEqualTo(usual);
    }

    /** So that a component that is added to the configuration is not forgotten here. */
    @Test
    void load_whenEverythingIsSaid_setsAllThereIs() throws Exception {
        PoolConfig loaded = load(
                """
                directory = "elsewhere"
                auto-create-tenants = true
                database = { kind = "postgres", headroom = "7MiB", url = "jdbc:postgresql://db/pool", user = "me", password = "hush", schema = "s", writers = 3, patience = "5s" }
                retry = { attempts = 7, first = "1s", longest = "1h", exponential = false }
                queue = { claim-term = "1h", priority-step = "2m", max-deliveries = 9, silence = "20s" }
                write = { redo-limit = "4KiB", sync-every = "2s", upload-expiry = "2d" }
                history = { keep = "3d" }
                cleanup = { every = "2h", processing-timeout = "3h", failed-retention = "4h", completed-retention = "5h", export-directory = "out", orphans = "report", orphan-age = "6h", orphans-every = "7h", temporary-age = "8h", event-retention = "9h", compact-every = "10h", scrub-every = "11h", scrub-rate = "12B", protected-directories = ["acme"] }
                recovery = { rebuild = true, backups = "backups" }
                volumes = { placement = "round-robin", spare-below = "10GiB", probe-every = "1m", patience = "10s" }

                [[volume]]
                name = "fast"
                path = "/mnt/fast"
                depth = 1
                headroom = "1GiB"

                [[volume]]
                name = "extra"
                path = "extra"
                spare = true

                [[tenant]]
                id = "acme"
                max-files = 10
                max-bytes = "1GB"
                warn-percent = 90
                shard = true
                retry = { attempts = 1 }

                [[tenant]]
                id = "other"
                status = "suspended"

                [[quota]]
                pattern = "acme/inbox/*"
                max-files = 100
                warn-percent = 0
                inherited = false
                enabled = false

                [[watcher]]
                id = "inbox"
                path = "in"
                tenant = "acme"
                after = "move"
                move-to = "done"
                labels = ["from=scanner"]
                poll-every = "2s"
                at-once = 3
                min-age = "4s"
                max-size = "5B"
                patterns = ["*.pdf"]
                excludes = ["*.tmp"]
                recursive = false
                marker = ".done"
                priority = 6
                enabled = false

                [[watcher]]
                id = "all"
                path = "shared"
                create-directories = false
                """);

        PoolConfig usual = PoolConfig.in(directory.resolve("data"));
        for (var component : PoolConfig.class.getRecordComponents()) {
            if (!component.getName().equals("platform")) {
                assertThat(component.getAccessor().invoke(loaded)).as(component.getName())
                        .isNotEqualTo(component.getAccessor().invoke(usual));
            }
        }
        assertThat(loaded.directory()).isEqualTo(directory.resolve("elsewhere"));
        assertThat(loaded.platform().store().headroom()).isEqualTo(7 << 20);
        assertThat(loaded.database()).isEqualTo(new Database.OnPostgres(
                new PostgresConfig("jdbc:postgresql://db/pool", "me", "hush", "s", 3, Duration.ofSeconds(5))));
        assertThat(loaded.retry()).isEqualTo(new RetryPolicy(Duration.ofSeconds(1), Duration.ofHours(1), 7, false));
        assertThat(loaded.queue()).isEqualTo(QueueConfig.DEFAULT.withPriorityStep(Duration.ofMinutes(2))
                .withMaxDeliveries(9).withSilence(Duration.ofSeconds(20)));
        assertThat(loaded.placement()).isEqualTo(Placement.ROUND_ROBIN);
        assertThat(loaded.volumes()).containsExactly(
                new VolumeSpec("fast", Path.of("/mnt/fast"), 1, 1L << 30, false),
                VolumeSpec.of("extra", directory.resolve("extra")).asSpare());
        assertThat(loaded.tenants().specs()).containsExactly(
                TenantSpec.of(new TenantId("acme"))
                        .withLimits(TenantLimits.NONE.withFiles(10).withBytes(1_000_000_000).warningAt(90)).sharded()
                        .withRetry(new RetryPolicy(Duration.ofSeconds(5), Duration.ofMinutes(5), 1, true)),
                TenantSpec.of(new TenantId("other")).withStatus(TenantStatus.SUSPENDED));
        assertThat(loaded.claimTerm()).isEqualTo(Duration.ofHours(1));
        assertThat(loaded.redoLimit()).isEqualTo(4096);
        assertThat(loaded.syncEvery()).isEqualTo(Duration.ofSeconds(2));
        assertThat(loaded.uploadExpiry()).isEqualTo(Duration.ofDays(2));
        assertThat(loaded.history()).isEqualTo(Duration.ofDays(3));
        assertThat(loaded.spareBelow()).isEqualTo(10L << 30);
        assertThat(loaded.probeEvery()).isEqualTo(Duration.ofMinutes(1));
        assertThat(loaded.patience()).isEqualTo(Duration.ofSeconds(10));
        CleanupConfig cleanup = loaded.cleanup();
        assertThat(cleanup.every()).contains(Duration.ofHours(2));
        assertThat(cleanup.processingTimeout()).contains(Duration.ofHours(3));
        assertThat(cleanup.failedRetention()).isEqualTo(Duration.ofHours(4));
        assertThat(cleanup.completedRetention()).contains(Duration.ofHours(5));
        assertThat(cleanup.exportDirectory()).contains(directory.resolve("out"));
        assertThat(cleanup.orphans()).isEqualTo(OrphanAction.REPORT);
        assertThat(cleanup.orphanAge()).isEqualTo(Duration.ofHours(6));
        assertThat(cleanup.orphansEvery()).contains(Duration.ofHours(7));
        assertThat(cleanup.temporaryAge()).isEqualTo(Duration.ofHours(8));
        assertThat(cleanup.eventRetention()).isEqualTo(Duration.ofHours(9));
        assertThat(cleanup.compactEvery()).contains(Duration.ofHours(10));
        assertThat(cleanup.scrubEvery()).contains(Duration.ofHours(11));
        assertThat(cleanup.scrubBytesPerSecond()).isEqualTo(12);
        assertThat(cleanup.protectedDirectories()).containsExactly("acme");
        assertThat(loaded.recovery()).isEqualTo(Recovery.REBUILD.withBackups(directory.resolve("backups")));
        assertThat(loaded.tenants().watchers()).hasSize(2);
        WatcherSpec inbox = loaded.tenants().watchers().getFirst();
        assertThat(inbox.id()).isEqualTo(new WatcherId("inbox"));
        assertThat(inbox.path()).isEqualTo(directory.resolve("in"));
        assertThat(inbox.mode()).isEqualTo(new WatchMode.OneTenant(new TenantId("acme")));
        assertThat(inbox.postImport()).isEqualTo(new PostImport.Move(directory.resolve("done")));
        assertThat(inbox.labels()).isEqualTo(Map.of("from", "scanner"));
        assertThat(inbox.pollingInterval()).isEqualTo(Duration.ofSeconds(2));
        assertThat(inbox.maxConcurrentImports()).isEqualTo(3);
        assertThat(inbox.minFileAge()).isEqualTo(Duration.ofSeconds(4));
        assertThat(inbox.maxFileSize()).isEqualTo(5);
        assertThat(inbox.patterns()).containsExactly("*.pdf");
        assertThat(inbox.excludes()).containsExactly("*.tmp");
        assertThat(inbox.recursive()).isFalse();
        assertThat(inbox.marker()).contains(".done");
        assertThat(inbox.priority()).isEqualTo(6);
        assertThat(inbox.enabled()).isFalse();
        WatcherSpec all = loaded.tenants().watchers().getLast();
        assertThat(all.path()).isEqualTo(directory.resolve("shared"));
        assertThat(all.mode()).isEqualTo(new WatchMode.ManyTenants(false));
        allDiffer(cleanup, CleanupConfig.DEFAULT);
        allDiffer(inbox, WatcherSpec.ofTenant("usual", new TenantId("usual"), directory.resolve("usual")));
        assertThat(loaded.tenants().quotas()).containsExactly(new QuotaRule("acme/inbox/*", 100, 0, false, false));
    }

    /** So that a component that is added is not forgotten above. */
    private static void allDiffer(Record loaded, Record usual) throws ReflectiveOperationException {
        for (var component : loaded.getClass().getRecordComponents()) {
            assertThat(component.getAccessor().invoke(loaded)).as(component.getName())
                    .isNotEqualTo(component.getAccessor().invoke(usual));
        }
    }

    @Test
    void load_whenMuchIsWrong_tellsAllWithLines() {
        assertThatThrownBy(() -> load("""
                                      directry = "x"
                                      [[tenant]]
                                      id = "Acme"
                                      [[volume]]
                                      name = "a/b"
                                      path = "x"
                                      [[quota]]
                                      pattern = "/x/"
                                      max-files = 1
                                      [retry]
                                      first = "1h"
                                      longest = "1s"
                                      [database]
                                      url = "jdbc:postgresql://db/pool"
                                      [write]
                                      redo-limit = "1GiB"
                                      """)).isInstanceOfSatisfying(ConfigurationException.class, e -> {
            assertThat(e.mistakes()).extracting(Mistake::key).containsExactly("directry", "tenant#1.id",
                    "volume#1", "quota#1", "retry", "database", "write.redo-limit");
            assertThat(e).hasMessageContaining("did you mean directory?").hasMessageContaining("\"acme\"?")
                    .hasMessageContaining("is not a valid volume").hasMessageContaining("postgres");
        });
    }

    @Test
    void print_tellsNoPassword() throws Exception {
        Path file = Files.writeString(directory.resolve("pool.toml"), """
                                                                      [database]
                                                                      kind = "postgres"
                                                                      url = "jdbc:postgresql://db/pool"
                                                                      user = "me"
                                                                      password = "hush"
                                                                      """);

        assertThat(PoolSettings.read(file).print()).contains("password = \"***\"").doesNotContain("hush");
        assertThat(PoolConfig.load(file).toString()).doesNotContain("hush");
    }

    /** The whole of that file is compared where the server's settings are: it has those of both. */
    @Test
    void reference_hasAllOfThePool() throws IOException {
        String kept = Files.readString(REFERENCE);
        for (String line : Reference.markdown("Configuration", PoolSettings.ROOT).lines().toList()) {
            assertThat(kept).contains(line);
        }
    }

    @Test
    void example_canBeLoadedAndOpened() throws Exception {
        Path copy = Files.copy(EXAMPLE, directory.resolve("pool.toml"));

        try (Pool pool = Pool.open(PoolConfig.load(copy))) {
            assertThat(pool.volumes().list()).extracting(VolumeInfo::name).containsExactly("fast", "large", "reserve");
            assertThat(pool.tenants().list()).extracting(Tenant::id)
                    .containsExactly(new TenantId("acme"), new TenantId("globex"));
            Tenant globex = pool.tenants().get(new TenantId("globex"));
            assertThat(globex.sharded()).isTrue();
            assertThat(globex.retry().map(RetryPolicy::attempts)).isEqualTo(Optional.of(10));
            assertThat(pool.tenants().get(new TenantId("acme")).limits().files()).hasValue(1_000_000);
            assertThat(pool.watchers().list()).extracting(watcher -> watcher.id().name()).containsExactly("inbox");
            assertThat(pool.quotas().ruleFor(new TenantId("acme"), new LogicalDirectory("inbox/a")))
                    .map(QuotaRule::maxFiles).contains(10_000L);
        }
    }

    @Test
    void seeds_whenOperatorsHaveChangedThings_changeNothing() throws Exception {
        Path copy = Files.copy(EXAMPLE, directory.resolve("pool.toml"));
        TenantId globex = new TenantId("globex");
        try (Pool pool = Pool.open(PoolConfig.load(copy))) {
            pool.tenants().setRetry(globex, Optional.empty());
            pool.tenants().suspend(globex);
            pool.quotas().set(QuotaRule.of("acme/inbox/*", 5));
        }

        try (Pool pool = Pool.open(PoolConfig.load(copy))) {
            assertThat(pool.tenants().get(globex).retry()).isEmpty();
            assertThat(pool.tenants().get(globex).status()).isEqualTo(TenantStatus.SUSPENDED);
            assertThat(pool.quotas().rules()).extracting(QuotaRule::maxFiles).containsExactly(5L);
        }
    }

    @Test
    void status_whenItWasChangedByHand_staysAsItWasChanged() throws Exception {
        PoolConfig config = load("""
                                 [[tenant]]
                                 id = "late"
                                 status = "disabled"
                                 """);
        TenantId late = new TenantId("late");
        try (Pool pool = Pool.open(config)) {
            assertThat(pool.tenants().get(late).status()).isEqualTo(TenantStatus.DISABLED);
            pool.tenants().enable(late);
        }

        try (Pool pool = Pool.open(config)) {
            assertThat(pool.tenants().get(late).status()).isEqualTo(TenantStatus.ENABLED);
        }
    }

    private PoolConfig load(String text) throws IOException {
        return PoolConfig.load(Files.writeString(directory.resolve("pool.toml"), text));
    }

    @Test
    void volume_isADirectoryOrWhatABackendIsBroughtFor() throws Exception {
        PoolConfig loaded = load("""
                                 [[volume]]
                                 name = "inside"
                                 path = "files"

                                 [[volume]]
                                 name = "bucket"
                                 path = "s3:bucket/prefix"

                                 [[volume]]
                                 name = "odd"
                                 path = "./s3:bucket"
                                 """);

        assertThat(loaded.volumes()).extracting(VolumeSpec::location).containsExactly(
                Location.of(directory.resolve("files")), Location.parse("s3:bucket/prefix"),
                Location.of(directory.resolve("s3:bucket")));
        assertThatThrownBy(() -> load("[[volume]]\nname = \"a\"\npath = \"s3:\"\n"))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("what follows s3:");
    }
}
