package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.Pool;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What was decided is still so after a database was made anew. */
class RecoveredSettingsTest extends DamagedBooks {

    @Test
    void rebuild_whateverWasDecided_isStillSo() throws Exception {
        TenantId paused = new TenantId("paused");
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(10).withBytes(1_000_000).warningAt(50));
        pool.tenants().setRetry(ACME, Optional.of(new RetryPolicy(Duration.ofSeconds(1), Duration.ofSeconds(9), 7,
                false)));
        pool.tenants().suspend(OTHER);
        pool.tenants().create(paused);
        pool.tenants().setPaused(paused, true);
        pool.quotas().set(QuotaRule.of("acme/in*", 5).withInherited(false));
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")).withDepth(1).withHeadroom(123));
        pool.volumes().setReadOnly("second");
        for (int i = 0; i < 10; i++) {
            write(ACME, "x");
        }
        List<Tenant> tenants = pool.tenants().list();
        List<QuotaRule> rules = pool.quotas().rules();
        closeAnd(Damage.DELETED);

        rebuild();

        assertThat(pool.tenants().list()).isEqualTo(tenants);
        assertThat(pool.quotas().rules()).isEqualTo(rules);
        VolumeInfo second = pool.volumes().get("second");
        assertThat(second.depth()).isEqualTo(1);
        assertThat(second.headroom()).isEqualTo(123);
        assertThat(second.state()).isEqualTo(io.entrepot.pool.VolumeState.READ_ONLY);
        assertRefused(TenantQuotaExceededException.class, "pool.tenant-quota-exceeded", () -> write(ACME, "11th"));
        assertThat(pool.tenants().get(OTHER).status()).isEqualTo(TenantStatus.SUSPENDED);
    }

    /** What they have imported is not known any more: kept sources would be imported again. */
    @Test
    void rebuild_withoutABackup_bringsWatchersBackDisabled() throws Exception {
        Path in = directory.resolveSibling("in");
        WatcherSpec kept = pool.watchers().add(WatcherSpec.ofTenant("kept", ACME, in)
                .withPostImport(new PostImport.Keep()).withLabels(Map.of("from", "in")).withMarker(Optional.of("-")));
        WatcherSpec all = pool.watchers().add(WatcherSpec.ofAllTenants("all", directory.resolveSibling("all"))
                .withPatterns(List.of("*.pdf", "a/b")).withPriority(3));
        pool.watchers().add(WatcherSpec.ofTenant("gone", ACME, directory.resolveSibling("gone")));
        pool.watchers().remove(new WatcherId("gone"));
        closeAnd(Damage.DELETED);

        rebuild();

        assertThat(pool.watchers().list()).containsExactly(all.withEnabled(false), kept.withEnabled(false));
        assertThat(pool.recoveries().getFirst().unknown()).anyMatch(line -> line.startsWith("watcher kept is back"));
        pool.watchers().enable(kept.id());
        assertThat(pool.watchers().get(kept.id())).isEqualTo(kept);
    }

    @Test
    void rebuild_withABackup_hasWatchersAsTheyWereDecidedSince() throws Exception {
        WatcherSpec before = pool.watchers().add(WatcherSpec.ofTenant("before", ACME, directory.resolveSibling("in")));
        pool.watchers().add(WatcherSpec.ofTenant("gone", ACME, directory.resolveSibling("gone")));
        backup();
        WatcherSpec changed = pool.watchers().update(before.withPriority(7));
        pool.watchers().remove(new WatcherId("gone"));
        WatcherSpec since = pool.watchers().add(WatcherSpec.ofTenant("since", ACME,
                directory.resolveSibling("since")));
        closeAnd(Damage.DELETED);

        rebuild();

        assertThat(pool.watchers().list()).containsExactly(changed, since.withEnabled(false));
    }

    @Test
    void settings_afterEveryChange_areBesideTheDatabaseAndOnEveryVolume() throws Exception {
        Path beside = directory.resolve("entrepot.settings");
        Path onVolume = directory.resolve("files/.entrepot/settings");

        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(4711));
        eventually(() -> Files.exists(onVolume) && Files.readString(onVolume).contains("4711"));
        assertThat(Files.readString(beside)).isEqualTo(Files.readString(onVolume));
        pool.quotas().set(QuotaRule.of("acme/quoted", 1));
        eventually(() -> Files.readString(onVolume).contains("acme/quoted"));
        pool.quotas().remove("acme/quoted");
        eventually(() -> !Files.readString(onVolume).contains("acme/quoted"));
        pool.volumes().mount(VolumeSpec.of("another", directory.resolve("another")));
        eventually(() -> Files.exists(directory.resolve("another/.entrepot/settings")));
        pool.watchers().add(WatcherSpec.ofTenant("watched", ACME, directory.resolveSibling("in")));
        eventually(() -> Files.readString(onVolume).contains("watched"));
        pool.watchers().remove(new WatcherId("watched"));
        eventually(() -> !Files.readString(onVolume).contains("watched"));
        pool.tenants().create(new TenantId("last"));
        pool.close();

        assertThat(Files.readString(onVolume)).contains("last").isEqualTo(Files.readString(beside));
        for (Path file : List.of(beside, onVolume)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        }
        pool = Pool.open(config);
    }
}
