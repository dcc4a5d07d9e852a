package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.Database;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.PoolObserver;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.watch.ParkedImport;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.SkipReason;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each source is imported exactly once and whole, whatever happens. */
abstract class ImportContract extends WatchFolder {
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("1999-12-31T00:00:00Z"));

    ImportContract(PoolFixture fixture) {
        super(fixture);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_536, 65_537, 3_000_000})
    void import_whateverTheSize_isWhole(int size) throws Exception {
        pool.watchers().add(spec());
        put("data.bin", "x".repeat(size));

        assertThat(scan()).isEqualTo(1);

        assertThat(contents(ACME)).containsExactly("x".repeat(size));
        assertThat(left(folder)).isEmpty();
    }

    @Test
    void scan_whenAProcessDiedOverItsProbe_removesIt() throws Exception {
        pool.watchers().add(spec());
        Path left = put(".entrepot-probe-0123456789abcdef", "");
        Path used = put(".entrepot-probe-fedcba9876543210", "");
        Files.setLastModifiedTime(left, FileTime.from(clocks.instant().minus(Duration.ofHours(2))));
        Files.setLastModifiedTime(used, FileTime.from(clocks.instant()));
        Path theirs = put(".entrepot-probe-theirs", "not ours");
        Files.setLastModifiedTime(theirs, LONG_AGO);

        assertThat(scan()).isZero();

        assertThat(left(folder)).containsExactly(".entrepot-probe-fedcba9876543210", ".entrepot-probe-theirs");
    }

    @Test
    void import_isObservedLikeAnyOtherWrite() throws Exception {
        AtomicLong bytes = new AtomicLong();
        pool.watchers().add(spec());
        put("a.txt", "four");
        try (PoolObserver.Registration _ = pool.observe(new PoolObserver() {
            @Override
            public void files(Fate fate, TenantId tenant, long files, long size) {
                if (fate == Fate.WRITTEN && tenant.equals(ACME)) {
                    bytes.addAndGet(size);
                }
            }
        })) {
            assertThat(scan()).isEqualTo(1);
        }

        assertThat(bytes).hasValue(4);
    }

    @Test
    void import_ofASlowCopyWithOldTimes_isOnceAndWhole() throws Exception {
        pool.watchers().add(spec());
        StringBuilder sent = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            sent.append("piece ").append(i);
            Path growing = put("slow.txt", sent.toString());
            Files.setLastModifiedTime(growing, LONG_AGO);
            assertThat(pool.watchers().scanNow(IN)).isZero();
            clocks.pass(AGE.minusMillis(1));
            assertThat(pool.watchers().scanNow(IN)).isZero();
        }
        clocks.pass(Duration.ofMillis(1));

        assertThat(pool.watchers().scanNow(IN)).isEqualTo(1);
        assertThat(contents(ACME)).containsExactly(sent.toString());
        assertThat(scan()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"IMPORT_RECORDED", "SOURCE_RENAMED", "SOURCE_REMOVED"})
    void import_whenCutShort_isFinishedByTheNextScanAndNotRepeated(PoolFaults.Point where) throws Exception {
        for (PostImport after : List.of(new PostImport.Delete(), new PostImport.Move(outside.resolve("done")))) {
            pool.watchers().add(spec().withPostImport(after));
            put("a.txt", "once");
            put("deep/b.txt", "once too");
            faults = point -> {
                if (point == where) {
                    throw new IllegalStateException("cut short");
                }
            };
            cutShort();
            faults = PoolFaults.NONE;
            reopen();

            assertThat(pool.watchers().scanNow(IN)).isZero();

            assertThat(left(folder)).isEmpty();
            scan();
            assertThat(contents(ACME)).containsExactly("once", "once too");
            if (after instanceof PostImport.Move(Path to)) {
                assertThat(left(to)).containsExactly("a.txt", "deep/b.txt");
            }
            files(ACME).forEach(file -> pool.files().delete(ACME, file.key(), "for the next round"));
            pool.watchers().remove(IN);
        }
    }

    /** Imports until all that can be imported is. */
    private void cutShort() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            try {
                scan();
            } catch (RuntimeException e) {
                assertThat(e).hasMessageContaining("cut short");
            }
        }
        assertThat(files(ACME)).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"PLACED", "WRITTEN"})
    void import_whenTheWriteFailsOrItsAnswerIsLost_isOnceAllTheSame(PoolFaults.Point where) throws Exception {
        pool.watchers().add(spec());
        put("a.txt", "once");
        AtomicBoolean done = new AtomicBoolean();
        faults = point -> {
            if (point == where && !done.getAndSet(true)) {
                throw new IllegalStateException("cut short");
            }
        };
        scan();
        assertThat(done).isTrue();
        reopen();

        for (int i = 0; i < 3; i++) {
            scan();
        }

        assertThat(contents(ACME)).containsExactly("once");
        assertThat(left(folder)).isEmpty();
    }

    @Test
    void import_whenASourceComesBackAfterItsRemoval_isNotRepeated() throws Exception {
        pool.watchers().add(spec());
        Path source = put("a.txt", "once");
        Path kept = outside.resolve("kept");
        faults = point -> {
            if (point == PoolFaults.Point.SOURCE_RENAMED) {
                link(folder, kept); // its inode outlives the removal, as after a power cut
            }
        };
        assertThat(scan()).isEqualTo(1);
        faults = PoolFaults.NONE;
        Files.move(kept, source);

        assertThat(scan()).isZero();

        assertThat(contents(ACME)).containsExactly("once");
        assertThat(left(folder)).isEmpty();
    }

    private static void link(Path folder, Path to) {
        try (var all = Files.list(folder)) {
            Files.createLink(to, all.findFirst().orElseThrow());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void import_whenTheSourceIsReplacedMeanwhile_putsTheNewOneBackAndImportsItToo() throws Exception {
        pool.watchers().add(spec());
        put("a.txt", "first");
        AtomicBoolean done = new AtomicBoolean();
        faults = point -> {
            if (point == PoolFaults.Point.IMPORT_RECORDED && !done.getAndSet(true)) {
                replace("a.txt", "second");
            }
        };

        assertThat(scan()).isEqualTo(1);
        assertThat(left(folder)).containsExactly("a.txt");
        scan();

        assertThat(contents(ACME)).containsExactly("first", "second");
        assertThat(left(folder)).isEmpty();
    }

    @Test
    void import_whenTheHiddenSourceIsWrittenTo_putsItBack() throws Exception {
        pool.watchers().add(spec());
        try (FileChannel writer = FileChannel.open(put("a.txt", "first"), StandardOpenOption.APPEND)) {
            AtomicBoolean done = new AtomicBoolean();
            faults = point -> {
                if (point == PoolFaults.Point.SOURCE_RENAMED && !done.getAndSet(true)) {
                    append(writer, " and more");
                }
            };

            assertThat(scan()).isEqualTo(1);
            assertThat(left(folder)).containsExactly("a.txt");
            scan();
        }

        assertThat(contents(ACME)).containsExactly("first", "first and more");
    }

    private static void append(FileChannel writer, String text) {
        try {
            writer.write(ByteBuffer.wrap(bytes(text)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void replace(String path, String content) {
        try {
            Path fresh = Files.writeString(outside.resolve("fresh"), content);
            Files.move(fresh, folder.resolve(path), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void privateNames_whenNobodyKnowsThem_arePutBackAndImported() throws Exception {
        pool.watchers().add(spec());
        put(".entrepot-" + new FileKey(7, 8) + "-lost.txt", "found");
        put(".entrepot-something-else", "not ours to touch");

        scan();
        assertThat(left(folder)).containsExactly(".entrepot-something-else", "lost.txt");
        scan();

        assertThat(names(ACME)).containsExactly("lost.txt");
        assertThat(contents(ACME)).containsExactly("found");
    }

    @Test
    void keep_whenImported_isNotImportedAgainUnlessReplaced() throws Exception {
        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        Path source = put("a.txt", "first");
        Files.setLastModifiedTime(source, LONG_AGO);
        assertThat(scan()).isEqualTo(1);
        assertThat(scan()).isZero();
        reopen();
        assertThat(scan()).isZero();
        assertThat(pool.watchers().status(IN).skipped()).containsEntry(SkipReason.KEPT, 1L);
        Files.move(source, folder.resolve("b.txt"));
        assertThat(scan()).isZero();
        Files.move(folder.resolve("b.txt"), source);

        // The same size, time and name, and quite possibly the same inode: only its birth tells.
        Files.delete(source);
        Files.setLastModifiedTime(put("a.txt", "other"), LONG_AGO);
        assertThat(scan()).isEqualTo(1);
        put("a.txt", "changed in place");
        assertThat(scan()).isEqualTo(1);

        assertThat(contents(ACME)).containsExactly("changed in place", "first", "other");
    }

    @Test
    void keep_whenTheWatcherIsRemovedAndAddedAgain_isStillKnown() throws Exception {
        WatcherSpec keeping = spec().withPostImport(new PostImport.Keep());
        pool.watchers().add(keeping);
        put("a.txt", "a");
        assertThat(scan()).isEqualTo(1);
        pool.watchers().remove(IN);
        pool.watchers().add(keeping);
        assertThat(scan()).isZero();

        pool.watchers().remove(IN);
        clocks.pass(Duration.ofDays(2));
        pool.tick();
        eventually(() -> pool.jobs().get(new JobName("forget-watchers")).lastResult()
                .equals(Optional.of("1 watchers were forgotten")));
        pool.watchers().add(keeping);
        assertThat(scan()).isEqualTo(1);
    }

    @Test
    void keep_whenTheWatcherWasRemovedLongAgo_isForgotten() throws Exception {
        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        for (int i = 0; i < 20; i++) {
            put(i + ".txt", "kept");
        }
        assertThat(scan()).isEqualTo(20);
        pool.watchers().remove(IN);
        clocks.pass(Duration.ofDays(1).plusMillis(1));
        pool.tenants().enable(OTHER); // the clock of a shared database is heard with every write
        JobName forget = new JobName("forget-watchers");
        pool.jobs().trigger(forget, io.entrepot.pool.job.JobRequest.PLAIN).handle().await(Duration.ofMinutes(1));
        assertThat(pool.jobs().get(forget).lastResult()).contains("1 watchers were forgotten");

        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        assertThat(pool.watchers().status(IN).importedFiles()).isZero();
        assertThat(scan()).isEqualTo(20);
    }

    @Test
    void keep_whenTheRuleBecomesDelete_whatWasKeptStays() throws Exception {
        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        put("a.txt", "a");
        scan();
        pool.watchers().update(pool.watchers().get(IN).withPostImport(new PostImport.Delete()));
        put("b.txt", "b");

        assertThat(scan()).isEqualTo(1);
        assertThat(left(folder)).containsExactly("a.txt");
    }

    @Test
    void import_ofAFileWithTwoNames_takesBoth() throws Exception {
        pool.watchers().add(spec());
        Files.createLink(folder.resolve("b.txt"), put("a.txt", "same"));

        scan();
        scan();

        assertThat(names(ACME)).containsExactly("a.txt", "b.txt");
        assertThat(left(folder)).isEmpty();
    }

    @Test
    void names_whenNotTextOrWithLineEnds_areImportedEscaped() throws Exception {
        pool.watchers().add(spec());
        byte[] latin = "Stra\u00dfe.pdf".getBytes(ISO_8859_1);
        String lines = "two\nlines.txt";
        try (Directory directory = FileCalls.system().openDirectory(BytePath.of(folder))) {
            directory.makeDirectory(Name.of("dir\u00e9".getBytes(ISO_8859_1)));
            for (byte[] name : List.of(latin, bytes(lines), bytes("back\\slash"))) {
                directory.create(Name.of(name)).close();
            }
            try (Directory inner = directory.open(Name.of("dir\u00e9".getBytes(ISO_8859_1)))) {
                inner.create(Name.of("\u00ff".repeat(255).getBytes(ISO_8859_1))).close();
            }
        }

        assertThat(scan()).isEqualTo(4);

        assertThat(names(ACME)).contains("Stra\\xdfe.pdf", "two\\x0alines.txt", "back\\slash");
        assertThat(files(ACME)).anySatisfy(file -> {
            assertThat(file.directory().path()).isEqualTo("dir\\xe9");
            assertThat(file.name().orElseThrow()).hasSize(255).endsWith("\\xff");
        }).anySatisfy(file -> assertThat(file.source()).contains("watch in: two\\x0alines.txt"));
        assertThat(left(folder)).isEmpty();
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

    @Test
    void import_whenTheTenantHasAShard_isRecordedThere() throws Exception {
        if (!(config.database() instanceof Database.Embedded)) {
            return;
        }
        TenantId own = new TenantId("own");
        pool.tenants().createWithShard(own, TenantLimits.NONE);
        pool.watchers().add(WatcherSpec.ofAllTenants("in", folder).withPostImport(new PostImport.Keep()));
        put("own/a.txt", "a");

        assertThat(scan()).isEqualTo(1);
        reopen();
        assertThat(scan()).isZero();
        assertThat(pool.watchers().status(IN).importedFiles()).isEqualTo(1);
    }

    @Test
    void tenant_whenDeleted_takesTheRecordsOfItsSourcesAlong() throws Exception {
        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        put("a.txt", "a");
        scan();
        pool.tenants().delete(ACME, true);
        assertThat(scan()).isZero();
        pool.tenants().create(ACME);

        assertThat(scan()).isEqualTo(1);
    }

    @Test
    void cancel_whileItImports_stopsAndTheRestComesLater() throws Exception {
        pool.watchers().add(spec());
        for (int i = 0; i < 4000; i++) {
            put("f" + i, "x");
        }
        pool.watchers().scanNow(IN);
        clocks.pass(AGE);
        faults = point -> {
            if (point == PoolFaults.Point.IMPORT_RECORDED) {
                pool.jobs().cancel(IN.job());
            }
        };
        assertThatThrownBy(() -> pool.watchers().scanNow(IN)).hasMessageContaining("it was stopped");
        faults = PoolFaults.NONE;
        assertThat(pool.tenants().usage(ACME).files()).isBetween(1L, 3000L);
        scan();

        assertThat(pool.tenants().usage(ACME).files()).isEqualTo(4000);
        assertThat(left(folder)).isEmpty();
    }
}
