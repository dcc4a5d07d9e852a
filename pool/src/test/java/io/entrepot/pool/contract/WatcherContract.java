package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.FileInfo;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.ScanFailedException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.WatcherNotFoundException;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.SkipReason;
import io.entrepot.pool.watch.WatchMode;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.pool.watch.WatcherStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watchers: what can be said of them, and that they do it. */
abstract class WatcherContract extends WatchFolder {

    WatcherContract(PoolFixture fixture) {
        super(fixture);
    }

    @Test
    void defaults_areThoseOfTheSeed() {
        WatcherSpec spec = spec();

        assertThat(spec.pollingInterval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(spec.maxConcurrentImports()).isEqualTo(8);
        assertThat(spec.minFileAge()).isEqualTo(AGE);
        assertThat(spec.maxFileSize()).isZero();
        assertThat(spec.patterns()).containsExactly("*.*");
        assertThat(spec.postImport()).isEqualTo(new PostImport.Delete());
        assertThat(spec.enabled() && spec.recursive()).isTrue();
        assertThat(WatcherSpec.ofAllTenants("all", folder).mode()).isEqualTo(new WatchMode.ManyTenants(true));
    }

    @Test
    void add_whenEverythingIsSaid_isKeptAndThereAfterARestart() throws Exception {
        WatcherSpec full = new WatcherSpec(IN, new WatchMode.ManyTenants(false), folder, Duration.ofSeconds(7), 3,
                Duration.ofMillis(1500), 99, List.of("*.pdf", "a/*.xml"), List.of("*.tmp"),
                new PostImport.Move(outside.resolve("done")), false, Optional.of(".ok"), 5, Map.of("from", "x=y"),
                false);

        pool.watchers().add(full);
        reopen();

        assertThat(pool.watchers().list()).containsExactly(full);
        assertThat(pool.watchers().get(IN)).isEqualTo(full);
        assertThat(pool.watchers().seed(spec())).isFalse();
        assertThat(pool.watchers().get(IN)).isEqualTo(full);
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.watchers().add(full));
        assertThat(events()).contains("watcher.added");
    }

    @Test
    void scan_ofOneTenant_importsItsFilesWithAllThatIsKnown() throws Exception {
        pool.watchers().add(spec().withPriority(3).withLabels(Map.of("from", "scanner")));
        put("invoices/2026/März.PDF", "hello");
        put("README", "no dot");

        assertThat(scan()).isEqualTo(2);

        FileInfo file = files(ACME).stream().filter(it -> it.name().get().endsWith("PDF")).findFirst().orElseThrow();
        assertThat(file.name()).contains("März.PDF");
        assertThat(file.extension()).isEqualTo(".PDF");
        assertThat(file.directory()).isEqualTo(new LogicalDirectory("invoices/2026"));
        assertThat(file.priority()).isEqualTo(3);
        assertThat(file.labels().all()).isEqualTo(Map.of("from", "scanner"));
        assertThat(file.source()).contains("watch in: invoices/2026/März.PDF");
        assertThat(pool.history(ACME, file.key()).entries().getFirst().note())
                .contains("from watch in: invoices/2026/März.PDF");
        assertThat(read(ACME, file.key())).isEqualTo("hello");
        assertThat(names(ACME)).containsExactly("März.PDF", "README");
        assertThat(left(folder)).isEmpty();
    }

    @Test
    void scan_ofManyTenants_goesBySubdirectoryAndSkipsUnknownOnes() throws Exception {
        pool.watchers().add(WatcherSpec.ofAllTenants("in", folder));
        put("acme/deep/a.txt", "a");
        put("other/b.txt", "b");
        put("stranger/c.txt", "c");
        put("Not A Tenant/d.txt", "d");
        put("nobodys.txt", "e");

        assertThat(scan()).isEqualTo(2);

        assertThat(files(ACME).getFirst().directory()).isEqualTo(new LogicalDirectory("deep"));
        assertThat(contents(OTHER)).containsExactly("b");
        assertThat(left(folder)).containsExactly("Not A Tenant/d.txt", "nobodys.txt", "stranger/c.txt");
        assertThat(pool.tenants().find(new TenantId("stranger"))).isEmpty();
        WatcherStatus status = pool.watchers().status(IN);
        assertThat(status.skipped()).containsEntry(SkipReason.UNKNOWN_TENANT, 2L).containsEntry(SkipReason.NO_TENANT,
                1L);
        assertThat(status.problems()).extracting(problem -> problem.path())
                .contains("stranger", "Not A Tenant", "nobodys.txt");
        assertThat(events().stream().filter("import.skipped-tenant"::equals)).hasSize(2);
    }

    @Test
    void dryRun_saysWhatWouldBeImportedAndChangesNothing() throws Exception {
        pool.watchers().add(WatcherSpec.ofAllTenants("in", folder));
        put("acme/early.txt", "12345");
        put("stranger/c.txt", "c");
        assertThat(pool.watchers().scanNow(IN)).isZero();
        clocks.pass(AGE);
        put("acme/late.txt", "6");
        Files.delete(folder.resolve("other"));
        List<String> before = left(folder);
        List<String> events = events();

        assertThat(dryRun()).isEqualTo("dry run: would import 1 files with 5 bytes: acme/early.txt; would leave"
                + " 1 (is not complete yet), 1 (is not the directory of a tenant)");
        assertThat(dryRun()).as("nothing has changed").contains("would import 1 files with 5 bytes");

        assertThat(left(folder)).isEqualTo(before);
        assertThat(folder.resolve("other")).doesNotExist();
        assertThat(files(ACME)).isEmpty();
        assertThat(events()).isEqualTo(events);
        assertThat(pool.watchers().scanNow(IN)).isEqualTo(1);
        assertThat(contents(ACME)).containsExactly("12345");
    }

    private String dryRun() throws InterruptedException {
        return DrainContract.ended(pool.jobs().trigger(IN.job(), JobRequest.DRY_RUN).handle()).result().orElseThrow();
    }

    @Test
    void scan_whenThePoolCreatesTenants_soDoesASubdirectory() throws Exception {
        config = config.withAutoCreateTenants(true);
        reopen();
        pool.watchers().add(WatcherSpec.ofAllTenants("in", folder));
        put("newcomer/c.txt", "c");

        assertThat(scan()).isEqualTo(1);

        assertThat(contents(new TenantId("newcomer"))).containsExactly("c");
    }

    @Test
    void scan_ofManyTenants_makesDirectoriesForThoseThatAreEnabled() throws Exception {
        pool.tenants().disable(OTHER);
        pool.watchers().add(WatcherSpec.ofAllTenants("in", folder));
        pool.watchers().scanNow(IN);
        assertThat(folder.resolve("acme")).isDirectory();
        assertThat(folder.resolve("other")).doesNotExist();

        pool.tenants().create(new TenantId("later"));
        pool.watchers().update(pool.watchers().get(IN).withAutoCreateTenantDirectories(false));
        pool.watchers().scanNow(IN);
        assertThat(folder.resolve("later")).doesNotExist();
        pool.watchers().update(pool.watchers().get(IN).withAutoCreateTenantDirectories(true));
        pool.watchers().scanNow(IN);
        assertThat(folder.resolve("later")).isDirectory();
    }

    @Test
    void watchers_sideBySide_eachImportItsOwn() throws Exception {
        Path vip = outside.resolve("watch/vip/acme");
        Path shared = outside.resolve("watch/shared");
        pool.watchers().add(WatcherSpec.ofTenant("vip", ACME, vip).withPollingInterval(Duration.ofSeconds(10)));
        pool.watchers().add(WatcherSpec.ofAllTenants("shared", shared));
        WatcherId vipId = new WatcherId("vip");
        WatcherId sharedId = new WatcherId("shared");
        pool.watchers().scanNow(vipId);
        pool.watchers().scanNow(sharedId);
        Files.writeString(vip.resolve("v.txt"), "v");
        Files.writeString(shared.resolve("other/s.txt"), "s");

        pool.watchers().scanNow(vipId);
        pool.watchers().scanNow(sharedId);
        clocks.pass(AGE);

        assertThat(pool.watchers().scanNow(vipId)).isEqualTo(1);
        assertThat(pool.watchers().scanNow(sharedId)).isEqualTo(1);
        assertThat(contents(ACME)).containsExactly("v");
        assertThat(contents(OTHER)).containsExactly("s");
    }

    @Test
    void patterns_sayWhichFilesAndChangeHot() throws Exception {
        pool.watchers().add(spec().withPatterns(List.of("*.pdf", "box/*.xml")));
        for (String path : List.of("a.pdf", "deep/b.pdf", "c.txt", "box/d.xml", "deep/box/e.xml", ".hidden.pdf",
                "x.part", ".snapshot/f.pdf")) {
            put(path, path);
        }

        assertThat(scan()).isEqualTo(3);
        assertThat(names(ACME)).containsExactly("a.pdf", "b.pdf", "d.xml");
        assertThat(pool.watchers().status(IN).skipped()).containsKey(SkipReason.NOT_WANTED);

        pool.watchers().update(pool.watchers().get(IN).withPatterns(WatcherSpec.EVERY_FILE)
                .withExcludes(List.of("deep")));
        assertThat(scan()).isEqualTo(4);
        assertThat(left(folder)).containsExactly("deep/box/e.xml");
    }

    @Test
    void scan_whenNotRecursive_leavesWhatIsDeeper() throws Exception {
        pool.watchers().add(spec().withRecursive(false));
        put("a.txt", "a");
        put("deep/b.txt", "b");

        assertThat(scan()).isEqualTo(1);
        assertThat(left(folder)).containsExactly("deep/b.txt");
    }

    @Test
    void scan_whenTooLargeOrNoFile_skipsAndSaysSo() throws Exception {
        pool.watchers().add(spec().withMaxFileSize(3));
        put("small", "123");
        put("large", "1234");
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("small"));
        Path elsewhere = Files.createDirectory(outside.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("secret"), "s");
        Files.createSymbolicLink(folder.resolve("way-out"), elsewhere);

        assertThat(scan()).isEqualTo(1);

        assertThat(contents(ACME)).containsExactly("123");
        assertThat(pool.watchers().status(IN).skipped()).containsEntry(SkipReason.TOO_LARGE, 1L)
                .containsEntry(SkipReason.NOT_A_FILE, 2L);
        assertThat(pool.watchers().status(IN).problems()).extracting(problem -> problem.path())
                .contains("large", "link");
        assertThat(Files.exists(elsewhere.resolve("secret"))).isTrue();
    }

    @Test
    void scan_whenAMarkerIsAsked_waitsForItAndTakesItAway() throws Exception {
        pool.watchers().add(spec().withMarker(Optional.of(".done")).withMinFileAge(Duration.ZERO));
        put("a.txt", "a");
        assertThat(scan()).isZero();

        put("a.txt.done", "");
        assertThat(scan()).isEqualTo(1);

        assertThat(names(ACME)).containsExactly("a.txt");
        assertThat(left(folder)).isEmpty();
    }

    @Test
    void move_whenNamesAreTaken_addsNumbersAndKeepsDirectories() throws Exception {
        Path done = outside.resolve("done");
        pool.watchers().add(spec().withPostImport(new PostImport.Move(done)));
        for (int i = 1; i <= 3; i++) {
            put("deep/report.pdf", "version " + i);
            put("plain", "plain " + i);
            assertThat(scan()).isEqualTo(2);
        }

        assertThat(left(done)).containsExactly("deep/report-1.pdf", "deep/report-2.pdf", "deep/report.pdf", "plain",
                "plain-1", "plain-2");
        assertThat(Files.readString(done.resolve("deep/report.pdf"))).isEqualTo("version 1");
        assertThat(Files.readString(done.resolve("deep/report-2.pdf"))).isEqualTo("version 3");
        assertThat(left(folder)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"data", "data/files/x", ".", "data/inside"})
    void add_whenItLiesWithinThePoolOrAroundIt_isRefused(String where) {
        Path path = directory.getParent().resolve(where).normalize();

        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> pool.watchers().add(spec().withPath(path)));
        assertThat(pool.watchers().list()).isEmpty();
    }

    @Test
    void add_whenItWouldFindWhatIsExported_isRefused() throws Exception {
        Path exports = outside.resolve("exports");
        config = config.withCleanup(config.cleanup().withCompletedRetention(Optional.of(Duration.ofDays(1)),
                Optional.of(exports)));
        reopen();

        for (Path path : List.of(exports, exports.resolve("acme"), outside)) {
            assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                    () -> pool.watchers().add(spec().withPath(path)));
        }
        pool.watchers().add(spec());
    }

    @Test
    void scan_whenItsDirectoryBecameWhereFilesAreExported_saysSoAndImportsNothing() throws Exception {
        pool.watchers().add(WatcherSpec.ofAllTenants("in", folder));
        config = config.withCleanup(config.cleanup().withCompletedRetention(Optional.of(Duration.ofDays(1)),
                Optional.of(folder)));
        reopen();
        put("acme/a.txt", "exported");

        assertThatThrownBy(this::scan).isInstanceOf(ScanFailedException.class).hasMessageContaining("exported");
        assertThat(files(ACME)).isEmpty();
    }

    @Test
    void add_whenDirectoriesLieWithinEachOther_isRefused() throws Exception {
        Path volume = outside.resolve("volume");
        pool.volumes().mount(VolumeSpec.of("second", volume));
        pool.watchers().add(spec().withPostImport(new PostImport.Move(outside.resolve("done"))));
        Files.createSymbolicLink(outside.resolve("link"), folder);
        WatcherSpec two = WatcherSpec.ofTenant("two", ACME, outside.resolve("two"));

        for (Path path : List.of(volume, volume.resolve("x"), folder, folder.resolve("vip"), outside,
                outside.resolve("link/deeper"), outside.resolve("done"))) {
            assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                    () -> pool.watchers().add(two.withPath(path)));
        }
        for (Path to : List.of(outside.resolve("two"), outside.resolve("two/done"), folder.resolve("x"),
                volume.resolve("x"), directory.resolve("x"))) {
            assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                    () -> pool.watchers().add(two.withPostImport(new PostImport.Move(to))));
        }
        pool.watchers().add(two);
    }

    @Test
    void interval_whenChanged_holdsAtOnce() throws Exception {
        pool.watchers().add(spec());
        pool.watchers().scanNow(IN);
        assertThat(pool.watchers().status(IN).nextScan()).contains(clocks.instant().plusSeconds(30));

        pool.watchers().update(pool.watchers().get(IN).withPollingInterval(Duration.ofHours(1)));
        pool.watchers().scanNow(IN);

        assertThat(pool.watchers().status(IN).nextScan()).contains(clocks.instant().plusSeconds(3600));
        assertThat(pool.watchers().status(IN).lastScan()).contains(clocks.instant());
    }

    @Test
    void job_looksByItselfAtTheIntervalAndWhenFilesMayBeComplete() throws Exception {
        pool.watchers().add(spec());
        pool.tick();
        eventually(() -> pool.watchers().status(IN).lastScan().isPresent()
                && !pool.watchers().status(IN).scanning()); // it plans its next look last
        put("a.txt", "a");
        clocks.pass(Duration.ofSeconds(29));
        pool.tick();
        assertThat(names(ACME)).isEmpty();

        clocks.pass(Duration.ofSeconds(1));
        pool.tick();
        // It was seen for the first time; the next look is when it may be complete, long before the next interval.
        eventually(() -> pool.watchers().status(IN).nextScan().equals(Optional.of(clocks.instant().plus(AGE))));
        clocks.pass(AGE);
        pool.tick();
        eventually(() -> names(ACME).equals(List.of("a.txt")));
        assertThat(pool.jobs().get(new JobName("watch-in")).runs()).isEqualTo(3);
    }

    @Test
    void watcher_whenDisabled_looksOnlyByHand() throws Exception {
        pool.watchers().add(spec());
        pool.watchers().scanNow(IN);
        pool.watchers().disable(IN);
        reopen();
        put("a.txt", "a");
        for (int i = 0; i < 5; i++) {
            clocks.pass(Duration.ofMinutes(1));
            pool.tick();
        }
        assertThat(pool.watchers().status(IN).lastScan()).isEmpty();
        assertThat(scan()).isEqualTo(1);

        put("b.txt", "b");
        pool.watchers().enable(IN);
        clocks.pass(Duration.ofSeconds(1));
        pool.tick();
        eventually(() -> pool.watchers().status(IN).skipped().containsKey(SkipReason.NOT_YET));
    }

    @Test
    void remove_endsItsJobAndAFreshOneMayTakeItsName() throws Exception {
        pool.watchers().add(spec());
        pool.watchers().remove(IN);

        assertThat(pool.watchers().list()).isEmpty();
        assertThat(pool.jobs().list()).noneMatch(job -> job.name().name().equals("watch-in"));
        assertRefused(WatcherNotFoundException.class, "pool.watcher-not-found", () -> pool.watchers().scanNow(IN));
        reopen();
        assertThat(pool.watchers().list()).isEmpty();
        pool.watchers().add(spec().withPath(outside.resolve("elsewhere")));
    }

    @Test
    void status_tellsWhatWasImportedAndWhyNothingIsNotified() throws Exception {
        pool.watchers().add(spec());
        put("a.txt", "12345");
        scan();
        put("b.txt", "123");
        scan();
        reopen();

        WatcherStatus status = pool.watchers().status(IN);
        assertThat(status.importedFiles()).isEqualTo(2);
        assertThat(status.importedBytes()).isEqualTo(8);
        pool.watchers().scanNow(IN);
        assertThat(pool.watchers().status(IN).notification()).contains("does not work here").contains("no inotify");
    }

    @Test
    void scanNow_whenTheDirectoryIsGone_saysSo() throws Exception {
        pool.watchers().add(spec());
        Files.delete(folder);

        assertRefused(ScanFailedException.class, "pool.scan-failed", () -> pool.watchers().scanNow(IN));
        assertThat(pool.watchers().status(IN).lastError()).isPresent();
        Files.createDirectory(folder);
        pool.watchers().scanNow(IN);
        assertThat(pool.watchers().status(IN).lastError()).isEmpty();
    }
}
