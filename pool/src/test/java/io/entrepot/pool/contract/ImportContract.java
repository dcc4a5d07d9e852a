package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.Database;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.PoolObserver;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.watch.PostImport;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each source is imported exactly once and whole, whatever happens. */
abstract class ImportContract extends WatchFolder {
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
    void import_knowsWhenTheSourceWasChanged() throws Exception {
        pool.watchers().add(spec());
        List<String> times = List.of("1999-12-31T00:00:00.123Z", "1970-01-01T00:00:00Z", "2038-01-19T03:14:08.5Z");
        for (int n = 0; n < times.size(); n++) {
            for (int size : new int[]{1, 200_000}) {
                Files.setLastModifiedTime(put(n + "-" + size, "x".repeat(size)),
                        FileTime.from(Instant.parse(times.get(n))));
            }
        }

        assertThat(scan()).isEqualTo(6);

        assertThat(files(ACME)).hasSize(6).allSatisfy(file -> assertThat(file.modified())
                .contains(Instant.parse(times.get(file.name().orElseThrow().charAt(0) - '0'))));
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
