package io.entrepot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.DirectoryQuotaExceededException;
import io.entrepot.pool.FileAlreadyProcessingException;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileHistory;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.FilePage;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStateException;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.IdempotencyConflictException;
import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.NoFilesAvailableException;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantDisabledException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.pool.TenantSuspendedException;
import io.entrepot.pool.VolumeNotFoundException;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.pool.process.GiveUpException;
import io.entrepot.pool.process.ProcessOptions;
import io.entrepot.pool.process.Processing;
import io.entrepot.store.Advice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a program may count on, wherever the pool is. Run on a pool in this process and on one behind a server: the calls, the
 * values and the exceptions are the same.
 */
abstract class FilePoolContract {
    static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    @TempDir
    Path directory;

    /** The one that is tried. */
    abstract FilePool pool();

    /** The one underneath, for what operators do. */
    abstract Pool underneath();

    @ParameterizedTest
    @ValueSource(ints = {0, 4096, 5_000_000})
    void write_ofAPath_tellsHowMuchWasRead(int size) throws Exception {
        Path source = Files.write(directory.resolve("source"), bytes(size));
        AtomicLong read = new AtomicLong();
        StoredFile stored = pool().files().write(ACME, NewFile.named("a"), source, read::addAndGet);
        assertThat(stored.size()).isEqualTo(size);
        assertThat(read).hasValue(size);
        assertThat(pool().files().write(ACME, NewFile.named("a"), source).sha256()).isEqualTo(stored.sha256());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4096, 5_000_000})
    void write_ofAPath_keepsWhenThatWasChanged(int size) throws Exception {
        Path source = Files.write(directory.resolve("source"), bytes(size));
        Instant time = Instant.parse("2001-02-03T04:05:06.789Z");
        Files.setLastModifiedTime(source, FileTime.from(time));
        NewFile other = NewFile.named("a").withModified(Instant.parse("0001-01-01T00:00:00Z"));
        FileKey key = pool().files().write(ACME, NewFile.named("a"), source).key();
        FileKey said = pool().files().write(ACME, other, source).key();
        FileKey stream = pool().files().write(ACME, other, stream(bytes(size))).key();
        FileKey unknown = pool().files().write(ACME, NewFile.named("a").withModified(Instant.MAX), bytes(size)).key();
        assertThat(pool().files().get(ACME, key).modified()).contains(time);
        assertThat(pool().files().get(ACME, said).modified()).isEqualTo(other.modified()).isPresent();
        assertThat(pool().files().get(ACME, stream).modified()).isEqualTo(other.modified());
        assertThat(pool().files().get(ACME, unknown).modified()).isEmpty();
        assertThat(pool().files().list(FileQuery.of(ACME)).files()).extracting(FileInfo::modified)
                .containsExactly(Optional.of(time), other.modified(), other.modified(), Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 262_143, 262_144, 1_000_003, 5_000_000})
    void write_whateverTheSize_canBeReadAndIsKnown(int size) throws Exception {
        byte[] bytes = bytes(size);
        StoredFile known = pool().files().write(ACME, NewFile.named("a.bin").ofSize(size),
                new ByteArrayInputStream(bytes));
        StoredFile unknown = pool().files().write(ACME, NewFile.named("b.bin"), stream(bytes));
        assertThat(known.sha256()).isEqualTo(unknown.sha256());
        assertThat(known.created()).isTrue();
        assertThat(unknown.size()).isEqualTo(size);
        for (StoredFile stored : List.of(known, unknown)) {
            try (FileContent content = pool().files().open(ACME, stored.key())) {
                assertThat(content.size()).isEqualTo(size);
                assertThat(content.verifiedStream().readAllBytes()).isEqualTo(bytes);
                assertThat(content.stream().readAllBytes()).isEqualTo(bytes);
                assertThat(content.file().key()).isEqualTo(stored.key());
            }
        }
        pool().files().verify(ACME, known.key());
    }

    @Test
    void write_ofAFile_storesACopy() throws Exception {
        Path source = directory.resolve("source.bin");
        Files.write(source, bytes(700_000));
        StoredFile stored = pool().files().write(ACME, NewFile.named("source.bin"), source);
        assertThat(stored.size()).isEqualTo(700_000);
        assertThat(source).exists();
    }

    @Test
    void write_whenMuchIsSaid_allOfItIsKept() throws Exception {
        Instant later = Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS);
        FileKey key = pool().files().write(ACME, NewFile.named("Rechnung März & Söhne=100%.pdf").in("in/2026")
                .withPriority(7).availableAt(later).withLabels(Map.of("kind", "a=b&c", "who", "Ärger"))
                .withModified(later), bytes(3)).key();
        FileInfo file = pool().files().get(ACME, key);
        FileInfo there = underneath().files().get(ACME, key);
        assertThat(file.name()).contains("Rechnung März & Söhne=100%.pdf");
        assertThat(file.extension()).isEqualTo(".pdf");
        assertThat(file.directory()).isEqualTo(LogicalDirectory.of("in/2026"));
        assertThat(file.priority()).isEqualTo(7);
        assertThat(file.availableAt()).contains(later);
        assertThat(file.modified()).contains(later);
        assertThat(file.labels().all()).containsEntry("kind", "a=b&c").containsEntry("who", "Ärger");
        assertThat(file).usingRecursiveComparison().ignoringFields("path").isEqualTo(there);
    }

    @Test
    void write_whenTheStreamFails_nothingRemains() {
        for (int good : new int[]{10, 1_000_000}) {
            InputStream failing = new SequenceInputStream(stream(bytes(good)), new InputStream() {
                @Override
                public int read() throws IOException {
                    throw new IOException("the disk is on fire");
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    return read();
                }
            });
            assertThatThrownBy(() -> pool().files().write(ACME, NewFile.named("a"), failing))
                    .isInstanceOf(IOException.class).hasMessageContaining("on fire");
        }
        await().untilAsserted(() -> assertThat(pool().files().list(FileQuery.of(ACME)).files()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {99, 101, 600_000, 800_000})
    void write_whenAnotherNumberOfBytesComes_isRefused(int brought) {
        int told = brought < 1000 ? 100 : 700_000;
        assertThatThrownBy(() -> pool().files().write(ACME, NewFile.named("a").ofSize(told), stream(bytes(brought))))
                .isInstanceOf(IOException.class);
        await().untilAsserted(() -> assertThat(pool().files().list(FileQuery.of(ACME)).files()).isEmpty());
    }

    @Test
    void write_whenTheKeyWasUsed_isTheSameFile() throws Exception {
        NewFile file = NewFile.named("a").withIdempotencyKey("order-17");
        StoredFile first = pool().files().write(ACME, file, bytes(10));
        StoredFile second = pool().files().write(ACME, file, bytes(10));
        assertThat(second.key()).isEqualTo(first.key());
        assertThat(first.created()).isTrue();
        assertThat(second.created()).isFalse();
        refused(IdempotencyConflictException.class, "pool.idempotency-conflict", Advice.GIVE_UP,
                () -> pool().files().write(ACME, file, bytes(11)));
    }

    @Test
    void write_whenItIsNotAllowed_isRefusedAsByTheLibrary() throws Exception {
        refused(InvalidNameException.class, "pool.invalid-name", Advice.GIVE_UP,
                () -> pool().files().write(ACME, NewFile.named("a").in("a/../b"), bytes(1)));
        refused(TenantNotFoundException.class, "pool.tenant-not-found", Advice.GIVE_UP,
                () -> pool().files().write(new TenantId("nobody"), NewFile.named("a"), bytes(1)));
        InputStream large = stream(new byte[40 << 20]);
        refused(TenantNotFoundException.class, "pool.tenant-not-found", Advice.GIVE_UP,
                () -> pool().files().write(new TenantId("nobody"), NewFile.named("a"), large));
        underneath().quotas().set(QuotaRule.of("acme/full", 0));
        refused(DirectoryQuotaExceededException.class, "pool.directory-quota-exceeded", Advice.RETRY,
                () -> pool().files().write(ACME, NewFile.named("a").in("full"), bytes(1)));
        // Nothing of a large one needs to be sent to hear that.
        refused(DirectoryQuotaExceededException.class, "pool.directory-quota-exceeded", Advice.RETRY,
                () -> pool().files().write(ACME, NewFile.named("a").in("full"), large));
        underneath().tenants().setLimits(ACME, TenantLimits.NONE.withBytes(10));
        refused(TenantQuotaExceededException.class, "pool.tenant-quota-exceeded", Advice.GIVE_UP,
                () -> pool().files().write(ACME, NewFile.named("a"), bytes(11)));
        underneath().tenants().suspend(ACME);
        refused(TenantSuspendedException.class, "pool.tenant-suspended", Advice.GIVE_UP,
                () -> pool().files().write(ACME, NewFile.named("a"), bytes(1)));
        underneath().tenants().disable(ACME);
        refused(TenantDisabledException.class, "pool.tenant-disabled", Advice.GIVE_UP,
                () -> pool().files().list(FileQuery.of(ACME)));
    }

    @Test
    void open_ofNothing_isNotFound() {
        FileKey unknown = new FileKey(4711, 1);
        refused(FileNotFoundException.class, "pool.file-not-found", Advice.GIVE_UP,
                () -> pool().files().open(ACME, unknown));
        refused(FileNotFoundException.class, "pool.file-not-found", Advice.GIVE_UP,
                () -> pool().files().get(ACME, unknown));
        refused(FileNotFoundException.class, "pool.file-not-found", Advice.GIVE_UP,
                () -> pool().work().status(ACME, unknown));
        refused(FileNotFoundException.class, "pool.file-not-found", Advice.GIVE_UP,
                () -> pool().history(ACME, unknown));
        refused(FileNotFoundException.class, "pool.file-not-found", Advice.GIVE_UP,
                () -> pool().files().delete(ACME, unknown, "test"));
        assertThat(pool().files().find(ACME, unknown)).isEmpty();
    }

    @Test
    void read_ofAPart_givesThatPart() throws Exception {
        byte[] bytes = bytes(100_000);
        FileKey key = pool().files().write(ACME, NewFile.named("a"), bytes).key();
        try (FileContent content = pool().files().open(ACME, key)) {
            assertThat(content.stream(10, 5).readAllBytes()).isEqualTo(java.util.Arrays.copyOfRange(bytes, 10, 15));
            assertThat(content.stream(99_990, 1000).readAllBytes()).hasSize(10);
            assertThat(content.stream(200_000, 10).readAllBytes()).isEmpty();
            ByteBuffer some = ByteBuffer.allocate(100);
            int n = content.read(99_950, some);
            assertThat(n).isPositive();
            assertThat(content.read(100_000, ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @Test
    void list_pageByPage_showsEachOnceAndOnlyWhatIsWanted() throws Exception {
        for (int i = 0; i < 7; i++) {
            pool().files().write(ACME, NewFile.named("f" + i + ".txt").in("d").withLabels(Map.of("n", "" + i % 2)),
                    bytes(i));
        }
        pool().files().write(ACME, NewFile.named("x.bin"), bytes(1));
        List<String> names = new ArrayList<>();
        FileQuery query = FileQuery.of(ACME).in(LogicalDirectory.of("d")).in(FileStatus.PENDING).named("f?.txt")
                .withLimit(3);
        FilePage page = pool().files().list(query);
        page.files().forEach(file -> names.add(file.name().orElseThrow()));
        while (!page.cursor().isEmpty()) {
            page = pool().files().list(query.after(page.cursor()));
            page.files().forEach(file -> names.add(file.name().orElseThrow()));
        }
        assertThat(names).containsExactly("f0.txt", "f1.txt", "f2.txt", "f3.txt", "f4.txt", "f5.txt", "f6.txt");
        assertThat(pool().files().list(FileQuery.of(ACME).withLabels(Map.of("n", "1"))).files()).hasSize(3);
        assertThat(pool().files().list(FileQuery.of(ACME).on("main").named("f*")).files()).hasSize(7);
        refused(VolumeNotFoundException.class, "pool.volume-not-found", Advice.GIVE_UP,
                () -> pool().files().list(FileQuery.of(ACME).on("nothing")));
    }

    @Test
    void work_fromClaimToCompletion_isDoneOnce() throws Exception {
        FileKey key = pool().files().write(ACME, NewFile.named("a"), bytes(10)).key();
        ClaimedFile claimed = pool().work().claim(ACME, "worker-1").orElseThrow();
        assertThat(claimed.key()).isEqualTo(key);
        assertThat(claimed.file().worker()).contains("worker-1");
        assertThat(claimed.term()).isEqualTo(Duration.ofMinutes(30));
        assertThat(pool().work().claim(ACME, "worker-2")).isEmpty();
        assertThat(pool().work().status(ACME, key)).isEqualTo(FileStatus.PROCESSING);
        refused(FileAlreadyProcessingException.class, "pool.file-already-processing", Advice.RETRY,
                () -> pool().work().claim(ACME, key, "worker-2", Duration.ofMinutes(1)));
        pool().work().renew(claimed.lease());
        FileOutcome first = pool().work().complete(claimed.lease());
        assertThat(first.kind()).isEqualTo(FileOutcome.Kind.COMPLETED);
        assertThat(first.repeated()).isFalse();
        FileOutcome again = pool().work().complete(claimed.lease());
        assertThat(again.repeated()).isTrue();
        assertThat(again.at()).isEqualTo(first.at());
        assertThat(pool().files().find(ACME, key)).isEmpty();
        FileHistory history = pool().history(ACME, key);
        assertThat(history.gone()).isPresent();
        assertThat(history.entries()).extracting(HistoryEntry::what).contains("written", "claimed", "completed");
        assertThat(history).isEqualTo(underneath().history(ACME, key));
        assertThat(pool().explain(ACME, key)).isNotEmpty().isEqualTo(underneath().explain(ACME, key));
    }

    @Test
    void step_withALeaseThatIsLost_changesNothing() throws Exception {
        FileKey key = pool().files().write(ACME, NewFile.named("a"), bytes(10)).key();
        FileLease lease = pool().work().claim(ACME, "worker-1").orElseThrow().lease();
        pool().work().reset(ACME, key);
        for (ThrowingCallable step : List.<ThrowingCallable>of(() -> pool().work().complete(lease),
                () -> pool().work().renew(lease), () -> pool().work().fail(lease, "no"),
                () -> pool().work().release(lease), () -> pool().work().completeAndKeep(lease),
                () -> pool().work().putOff(lease, "no"))) {
            refused(FileLeaseLostException.class, "pool.lease-lost", Advice.GIVE_UP, step);
        }
        assertThat(pool().work().completeAll(List.of(lease))).containsExactly(Optional.empty());
        assertThat(pool().work().status(ACME, key)).isEqualTo(FileStatus.PENDING);
    }

    @Test
    void endings_ofEveryKind_areWhatTheyAreCalled() throws Exception {
        for (int i = 0; i < 8; i++) {
            pool().files().write(ACME, NewFile.named("f" + i), bytes(10));
        }
        List<ClaimedFile> files = pool().work().claim(ClaimOrder.of(ACME, "w").withMax(8)
                .withTerm(Duration.ofMinutes(5)));
        assertThat(files).hasSize(8).allSatisfy(file -> assertThat(file.term()).isEqualTo(Duration.ofMinutes(5)));
        assertThat(pool().work().completeAndKeep(files.get(0).lease()).kind()).isEqualTo(FileOutcome.Kind.KEPT);
        assertThat(pool().work().fail(files.get(1).lease(), "no").kind()).isEqualTo(FileOutcome.Kind.RETRYING);
        assertThat(pool().work().failForGood(files.get(2).lease(), "never").kind())
                .isEqualTo(FileOutcome.Kind.PERMANENTLY_FAILED);
        assertThat(pool().work().release(files.get(3).lease()).kind()).isEqualTo(FileOutcome.Kind.RELEASED);
        assertThat(pool().work().putOff(files.get(4).lease(), "away").kind()).isEqualTo(FileOutcome.Kind.PUT_OFF);
        assertThat(pool().work().putOff(files.get(5).lease(), "away", Duration.ofHours(2)).kind())
                .isEqualTo(FileOutcome.Kind.PUT_OFF);
        assertThat(pool().work().completeAll(List.of(files.get(6).lease(), files.get(7).lease())))
                .extracting(outcome -> outcome.orElseThrow().kind())
                .containsExactly(FileOutcome.Kind.COMPLETED, FileOutcome.Kind.COMPLETED);
        assertThat(pool().files().get(ACME, files.get(1).key()).lastError()).contains("no");
        assertThat(pool().files().get(ACME, files.get(5).key()).availableAt().orElseThrow())
                .isAfter(Instant.now().plus(1, ChronoUnit.HOURS));
        assertThat(pool().work().retryNow(ACME, files.get(1).key())).isTrue();
        assertThat(pool().work().retryAllFailed(ACME)).isEqualTo(1);
        refused(FileStateException.class, "pool.wrong-state", Advice.GIVE_UP,
                () -> pool().work().claim(ACME, files.get(0).key(), "w", Duration.ofMinutes(1)));
        pool().files().delete(ACME, files.get(0).key(), "not wanted");
        assertThat(pool().files().release(ACME, files.get(1).key())).isFalse();
        assertThat(pool().files().releaseAll(ACME)).isZero();
        assertThat(pool().files().outage(ACME, files.get(1).key())).isEmpty();
    }

    @Test
    void claim_withAnIdempotencyKey_isOneClaimHoweverOftenItIsMade() throws Exception {
        for (int i = 0; i < 3; i++) {
            pool().files().write(ACME, NewFile.named("f" + i), bytes(1));
        }
        ClaimOrder order = ClaimOrder.of(ACME, "w").withMax(2).withIdempotencyKey("k");
        List<ClaimedFile> first = pool().work().claim(order);
        assertThat(first).hasSize(2);
        assertThat(pool().work().claim(order)).isEqualTo(first);
        assertThat(pool().work().claim(order.waiting(Duration.ofSeconds(20)))).isEqualTo(first);
        assertThatExceptionOfType(IdempotencyConflictException.class)
                .isThrownBy(() -> pool().work().claim(order.withMax(1)));
        first.forEach(one -> pool().work().complete(one.lease()));
        assertThatExceptionOfType(IdempotencyConflictException.class)
                .isThrownBy(() -> pool().work().claim(order.waiting(Duration.ofSeconds(20))))
                .satisfies(e -> assertThat(e.code()).isEqualTo("pool.idempotency-conflict"));
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> pool().work().claim(order.withIdempotencyKey("x".repeat(301))));

        ClaimedFile last = pool().work().claim(ACME, "w").orElseThrow();
        pool().work().release(last.lease());
        ClaimedFile named = pool().work().claim(ACME, last.key(), "w", Duration.ofMinutes(1), Optional.of("n"));
        assertThat(pool().work().claim(ACME, last.key(), "w", Duration.ofMinutes(1), Optional.of("n")))
                .isEqualTo(named);
    }

    @Test
    void claim_thatWaits_isGivenWhatComes() throws Exception {
        refused(NoFilesAvailableException.class, "pool.no-files-available", Advice.RETRY,
                () -> pool().work().take(ACME, "w", Duration.ofMillis(50)));
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                pool().files().write(OTHER, NewFile.named("late"), bytes(1));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        List<ClaimedFile> files = pool().work().claim(new ClaimOrder(List.of(ACME, OTHER), "w", 5, Optional.empty(),
                Duration.ofSeconds(20)));
        assertThat(files).hasSize(1);
        writer.join();
        refused(InvalidSettingException.class, "pool.invalid-setting", Advice.GIVE_UP,
                () -> pool().work().claim(ClaimOrder.of(ACME, "w").withMax(0)));
    }

    @Test
    void claim_thatWaitsAndIsInterrupted_ends() throws Exception {
        Set<String> ended = ConcurrentHashMap.newKeySet();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                pool().work().take(ACME, "w", Duration.ofMinutes(5));
            } catch (InterruptedException e) {
                ended.add("interrupted");
            }
        });
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING
                || waiting.getState() == Thread.State.WAITING);
        waiting.interrupt();
        waiting.join();
        assertThat(ended).containsExactly("interrupted");
    }

    @Test
    void claim_thatIsInterruptedWhileAFileComes_losesNone() throws Exception {
        for (int i = 0; i < 10; i++) {
            ConcurrentLinkedQueue<ClaimedFile> got = new ConcurrentLinkedQueue<>();
            Duration patience = i % 2 == 0 ? Duration.ofSeconds(2) : Duration.ofMinutes(2);
            Thread waiting = Thread.ofVirtual().start(() -> {
                try {
                    got.addAll(pool().work().claim(ClaimOrder.of(ACME, "w").waiting(patience)));
                } catch (InterruptedException e) {
                    // as it should be, unless a file came
                }
            });
            FileKey key = pool().files().write(ACME, NewFile.named("f"), bytes(i)).key();
            waiting.interrupt();
            waiting.join();
            if (got.isEmpty()) {
                ClaimedFile back = pool().work().take(ACME, "w2", Duration.ofSeconds(10));
                assertThat(back.key()).isEqualTo(key);
                got.add(back);
            }
            got.forEach(file -> pool().work().complete(file.lease()));
        }
        assertThat(pool().files().list(FileQuery.of(ACME)).files()).isEmpty();
    }

    @Test
    void process_whenManyFilesAndHandlers_eachIsHandledOnceAndGone() throws Exception {
        for (int i = 0; i < 60; i++) {
            pool().files().write(i % 2 == 0 ? ACME : OTHER, NewFile.named("f" + i), ("content " + i).getBytes(
                    StandardCharsets.UTF_8));
        }
        ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
        try (Processing processing = pool().process(ProcessOptions.of(ACME, 8).withTenants(List.of(ACME, OTHER)),
                task -> {
                    try (FileContent content = task.open()) {
                        String text = new String(content.stream().readAllBytes(), StandardCharsets.UTF_8);
                        task.checkLease();
                        handled.add(task.file().name().orElseThrow() + ":" + text);
                    }
                })) {
            assertThat(processing.awaitIdle(Duration.ofSeconds(60))).isTrue();
            assertThat(processing.status().completed()).isEqualTo(60);
        }
        assertThat(handled).hasSize(60).doesNotHaveDuplicates().contains("f17:content 17");
        assertThat(pool().files().list(FileQuery.of(ACME)).files()).isEmpty();
    }

    @Test
    void process_whenHandlersTakeLongAndFail_leasesAreRenewedAndFilesFailed() throws Exception {
        FileKey slow = pool().files().write(ACME, NewFile.named("slow"), bytes(1)).key();
        FileKey bad = pool().files().write(ACME, NewFile.named("bad"), bytes(1)).key();
        try (Processing processing = pool().process(ProcessOptions.of(ACME, 2).withTerm(Duration.ofSeconds(1)),
                task -> {
                    if (task.file().key().equals(bad)) {
                        throw new GiveUpException("of no use");
                    }
                    Instant end = Instant.now().plusMillis(2500); // well beyond its term
                    await().atMost(Duration.ofSeconds(10)).until(() -> Instant.now().isAfter(end));
                    task.checkLease();
                })) {
            await().atMost(Duration.ofSeconds(30)).until(() -> processing.status().completed() == 1);
            assertThat(processing.status().lost()).isZero();
        }
        assertThat(pool().files().find(ACME, slow)).isEmpty();
        assertThat(pool().files().get(ACME, bad).status()).isEqualTo(FileStatus.PERMANENTLY_FAILED);
        assertThat(pool().files().get(ACME, bad).lastError()).contains("of no use");
    }

    @Test
    void process_whenNoTenantIsOpen_backsOffAndGoesOnByItself() throws Exception {
        pool().files().write(ACME, NewFile.named("a"), bytes(1));
        underneath().tenants().disable(ACME);
        try (Processing processing = pool().process(ACME, 1, task -> {})) {
            await().until(() -> processing.status().lastError().isPresent());
            underneath().tenants().enable(ACME);
            await().atMost(Duration.ofSeconds(30)).until(() -> processing.status().completed() == 1);
        }
    }

    @Test
    void listen_toWhatHappens_isToldInOrderAndGoesOnFromACursor() throws Exception {
        ConcurrentLinkedQueue<PoolEvent> heard = new ConcurrentLinkedQueue<>();
        EventCursor cursor;
        FileKey first;
        try (Listening listening = pool().listen(EventFilter.all().of(ACME).of("file.*"), heard::add)) {
            first = pool().files().write(ACME, NewFile.named("a"), bytes(5)).key();
            pool().files().write(OTHER, NewFile.named("b"), bytes(5));
            await().until(() -> !heard.isEmpty());
            cursor = listening.cursor();
        }
        FileKey second = pool().files().write(ACME, NewFile.named("c"), bytes(6)).key();
        try (Listening listening = pool().listen(EventFilter.all().of(ACME).of("file.written"), cursor, heard::add)) {
            await().until(() -> heard.stream().anyMatch(event -> event.subject().equals(second.toString())));
            assertThat(listening.missed()).isZero();
        }
        assertThat(heard).extracting(PoolEvent::subject).containsExactly(first.toString(), second.toString());
        assertThat(heard.element().number("size")).hasValue(5);
        assertThat(heard.element().tenant()).contains(ACME);
    }

    static void refused(Class<? extends PoolException> type, String code, Advice advice, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(type, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.advice()).isEqualTo(advice);
            assertThat(e).hasMessageNotContaining("urn:").message().isNotBlank();
        });
    }

    static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    /** One of which nothing is known but what comes out of it. */
    static InputStream stream(byte[] bytes) {
        return new InputStream() {
            private int at;

            @Override
            public int read() {
                return at < bytes.length ? bytes[at++] & 0xFF : -1;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                if (length == 0) {
                    return 0;
                }
                int n = Math.min(length, bytes.length - at);
                System.arraycopy(bytes, at, into, offset, n);
                at += n;
                return n == 0 ? -1 : n;
            }
        };
    }
}
