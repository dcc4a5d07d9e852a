package io.entrepot.client;

import static io.entrepot.client.FilePoolContract.ACME;
import static io.entrepot.client.FilePoolContract.bytes;
import static io.entrepot.client.FilePoolContract.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.RequestRefusedException;
import io.entrepot.pool.TenantExistsException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadNotFoundException;
import io.entrepot.store.Advice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators do, and what those get who may not. */
class OperatorsTest {
    @TempDir
    Path directory;

    private RunningServer server;
    private EntrepotClient client;
    private Administration admin;

    @BeforeEach
    void open() throws Exception {
        server = new RunningServer(directory.resolve("data"));
        client = server.client();
        admin = client.administration();
        admin.createTenant(ACME, TenantLimits.NONE.withFiles(100), false);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void tenants_areMadeChangedAndDeleted() throws Exception {
        assertThat(admin.tenants()).extracting(tenant -> tenant.get("id").text()).contains("acme", "default");
        client.files().write(ACME, NewFile.named("a"), bytes(10));
        assertThat(admin.usage(ACME).bytes()).isEqualTo(10);
        assertThat(admin.tenant(ACME).get("maxFiles").whole()).isEqualTo(100);
        admin.setStatus(ACME, TenantStatus.SUSPENDED);
        assertThat(server.pool().tenants().get(ACME).status()).isEqualTo(TenantStatus.SUSPENDED);
        assertThat(admin.setPaused(ACME, true).get("paused").truth()).isTrue();
        admin.changeTenant(ACME, Json.object().with("status", "enabled").with("maxFiles", 7));
        assertThat(admin.recount(ACME).get("files").whole()).isEqualTo(1);
        assertThat(admin.directories(ACME)).hasSize(1);
        refused(TenantExistsException.class, "pool.tenant-exists", Advice.GIVE_UP,
                () -> admin.createTenant(ACME, TenantLimits.NONE, false));
        refused(TenantNotFoundException.class, "pool.tenant-not-found", Advice.GIVE_UP,
                () -> admin.tenant(new TenantId("nobody")));
        admin.deleteTenant(ACME, true);
        assertThat(server.pool().tenants().find(ACME)).isEmpty();
    }

    @Test
    void volumesAndQuotas_areChanged() {
        Path second = directory.resolve("second");
        admin.mount(Json.object().with("name", "second").with("path", second).with("headroom", 0));
        assertThat(admin.volumes()).extracting(volume -> volume.get("name").text()).containsExactly("main", "second");
        assertThat(admin.setVolumeState("second", "read-only").get("state").text()).isEqualTo("read-only");
        assertThat(admin.changeVolume("second", Json.object().with("headroom", 4711)).get("headroom").whole())
                .isEqualTo(4711);
        assertThat(admin.setVolumeState("second", "spare").get("state").text()).isEqualTo("spare");
        assertThat(admin.setVolumeState("second", "active").get("state").text()).isEqualTo("active");
        assertThat(admin.drain("second").get("job").text()).isEqualTo("drain-second");
        admin.awaitJob("drain-second", Duration.ofSeconds(20));
        assertThat(admin.probe()).hasSize(2);
        admin.unmount("second");
        refused(RequestRefusedException.class, "http.no-such-resource", Advice.GIVE_UP,
                () -> admin.removeQuota("none/of/it"));
        admin.setQuota(QuotaRule.of("acme/in", 3));
        assertThat(admin.quotas()).extracting(rule -> rule.get("pattern").text()).containsExactly("acme/in");
        admin.removeQuota("acme/in");
        assertThat(admin.quotas()).isEmpty();
    }

    @Test
    void jobs_areStartedAndWaitedFor() throws Exception {
        assertThat(admin.jobs()).isNotEmpty();
        admin.startJob("check", false, Map.of("depth", "files"));
        Json check = admin.awaitJob("check", Duration.ofSeconds(30));
        assertThat(check.get("report").get("sound").truth()).isTrue();
        Json job = admin.startCleanup(Json.object().with("step", "temporary-files").with("dryRun", true));
        Json done = admin.awaitJob(job.get("job").text(), Duration.ofSeconds(30));
        assertThat(done.get("report").get("dryRun").truth()).isTrue();
        server.pool().files().write(ACME, NewFile.named("bad"), bytes(3));
        server.pool().work().failForGood(server.pool().work().claim(ACME, "w").orElseThrow().lease(), "no");
        Json purge = admin.startCleanup(Json.object().with("step", "permanently-failed").with("olderThan", "0s")
                .with("tenant", ACME));
        assertThat(admin.awaitJob(purge.get("job").text(), Duration.ofSeconds(30)).get("report").get("counts")
                .get("permanentlyFailedFilesRemoved").whole()).isEqualTo(1);
        admin.startBackup("before");
        admin.awaitJob("backup", Duration.ofSeconds(30));
        assertThat(admin.backups()).extracting(backup -> backup.get("name").text()).containsExactly("before");
        assertThat(admin.pauseJob("cleanup").get("paused").truth()).isTrue();
        assertThat(admin.resumeJob("cleanup").get("paused").truth()).isFalse();
        assertThat(admin.cancelJob("cleanup").get("job").text()).isEqualTo("cleanup");
        refused(RequestRefusedException.class, "pool.no-such-job", Advice.GIVE_UP, () -> admin.job("nothing"));
    }

    @Test
    void watchersAndUploads_areSeen() throws Exception {
        Path inbox = java.nio.file.Files.createDirectory(directory.resolve("inbox"));
        assertThat(admin.watchers()).isEmpty();
        assertThat(admin.uploads(ACME)).isEmpty();
        UploadId upload = server.pool().uploads().begin(ACME, NewFile.named("big"));
        assertThat(admin.uploads(ACME)).hasSize(1);
        admin.cancelUpload(ACME, upload);
        refused(UploadNotFoundException.class, "pool.upload-not-found", Advice.GIVE_UP,
                () -> admin.cancelUpload(ACME, upload));
        assertThat(inbox).isDirectory();
        assertThat(admin.statistics().fields()).isNotEmpty();
        assertThat(admin.cleanupFigures().get("counts").fields()).isNotEmpty();
        assertThat(admin.audit(10)).isNotEmpty();
    }

    @Test
    void keys_ofATenant_mayDoTheirWorkAndNoMore() throws Exception {
        Json made = admin.createKey("worker", List.of("tenant:acme:process", "tenant:acme:write"));
        assertThat(admin.me().fields()).isNotEmpty();
        try (EntrepotClient worker = EntrepotClient.connect(server.address(), made.get("key").text())) {
            worker.files().write(ACME, NewFile.named("a"), bytes(1));
            worker.work().complete(worker.work().claim(ACME, "w").orElseThrow().lease());
            refused(RequestRefusedException.class, "access.forbidden", Advice.GIVE_UP,
                    () -> worker.administration().volumes());
            refused(TenantNotFoundException.class, "pool.tenant-not-found", Advice.GIVE_UP,
                    () -> worker.files().write(TenantId.DEFAULT, NewFile.named("a"), bytes(1)));
            admin.revokeKey(made.get("id").text());
            refused(RequestRefusedException.class, "access.invalid-key", Advice.GIVE_UP,
                    () -> worker.work().claim(ACME, "w"));
        }
    }

    @Test
    void found_inADataDirectory_isTheServerThere() {
        try (EntrepotClient local = EntrepotClient
                .connect(ClientConfig.found(directory.resolve("data")).orElseThrow())) {
            assertThat(local.administration().tenants()).isNotEmpty();
        }
        assertThat(ClientConfig.found(directory)).isEmpty();
        assertThat(client.call("GET", "/v1/tenants", Optional.empty()).get("tenants").list()).isNotEmpty();
    }
}
