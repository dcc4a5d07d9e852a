package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.DirectoryQuotaExceededException;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadNotFoundException;
import io.entrepot.pool.UploadOffsetException;
import io.entrepot.pool.UploadStatus;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.store.Advice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Files that are written in pieces. */
abstract class UploadContract extends PoolContract {

    UploadContract(PoolFixture fixture) {
        super(fixture);
    }

    private UploadId begin() {
        return pool.uploads().begin(ACME, NewFile.unnamed());
    }

    private long append(UploadId upload, long offset, String piece) throws Exception {
        return pool.uploads().append(ACME, upload, offset, piece.getBytes(UTF_8));
    }

    /** As if the process had died there: what it would have done after that is not done. */
    private void dieAt(PoolFaults.Point where) throws Exception {
        pool.close();
        pool = Pool.open(config.withPlatform(config.platform().withFaults(point -> {
            if (point == where) {
                throw new Dead();
            }
        })));
    }

    private static final class Dead extends RuntimeException {}

    @Test
    void finish_whenPiecesOfAnySizeCame_isAFileLikeAnyOther() throws Exception {
        byte[] content = new byte[3_000_000];
        new Random(1).nextBytes(content);
        NewFile said = NewFile.named("Film März.mp4").in("films").withPriority(3).withLabels(Map.of("a", "b"))
                .from("browser").withModified(Instant.parse("2001-02-03T04:05:06.789Z"));
        UploadId upload = pool.uploads().begin(ACME, said, content.length);
        assertThat(pool.uploads().status(ACME, upload).file().modified()).isEqualTo(said.modified());
        long offset = 0;
        for (int size : new int[]{1, 0, 70_000, 2_000_000, 929_999}) {
            offset = pool.uploads().append(ACME, upload, offset, new ByteArrayInputStream(content, (int) offset,
                    size));
        }
        assertThat(pool.work().claim(ACME, "worker")).isEmpty();
        assertThat(pool.tenants().usage(ACME).files()).isZero();

        StoredFile stored = pool.uploads().finish(ACME, upload);

        assertThat(stored).isEqualTo(new StoredFile(ACME, stored.key(), content.length,
                new Sha256(Sha256.digest().digest(content)), true));
        FileInfo file = pool.files().get(ACME, stored.key());
        assertThat(file.name()).contains("Film März.mp4");
        assertThat(file.directory()).isEqualTo(new LogicalDirectory("films"));
        assertThat(file.priority()).isEqualTo(3);
        assertThat(file.labels().all()).isEqualTo(Map.of("a", "b"));
        assertThat(file.source()).contains("browser");
        assertThat(file.modified()).isEqualTo(said.modified());
        assertThat(storage.bytes(file)).isEqualTo(content);
        pool.files().verify(ACME, stored.key());
        assertThat(claim(ACME).file().key()).isEqualTo(stored.key());
        eventually(() -> storage.begun().isEmpty());
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    /** Gives so many bytes, and then is not what it should be. */
    private static InputStream refused(long size) {
        return new InputStream() {
            private long left = size;

            @Override
            public int read() {
                throw new UnsupportedOperationException("one at a time would take too long");
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                if (left == 0) {
                    throw new Dead();
                }
                int n = (int) Math.min(left, length);
                left -= n;
                return n;
            }
        };
    }

    /** More than what is otherwise saved on the way. */
    @Test
    void appendWhole_whenTheStreamRefusesAtItsEnd_leavesNothingOfIt() throws Exception {
        UploadId upload = begin();
        append(upload, 0, "abc");
        assertThatThrownBy(() -> pool.uploads().appendWhole(ACME, upload, 3, refused(130L << 20)))
                .isInstanceOf(Dead.class);
        assertThat(pool.uploads().status(ACME, upload).offset()).isEqualTo(3);
        assertThatThrownBy(() -> pool.uploads().appendWhole(ACME, upload, 3,
                new SequenceInputStream(new ByteArrayInputStream("xyz".getBytes(UTF_8)), new Acting(() -> {
                    throw new IOException("the line is dead");
                }))))
                .isInstanceOf(IOException.class);
        assertThat(pool.uploads().status(ACME, upload).offset()).isEqualTo(3);
        assertThat(pool.uploads().appendWhole(ACME, upload, 3, new ByteArrayInputStream("def".getBytes(UTF_8))))
                .isEqualTo(6);
        StoredFile stored = pool.uploads().finish(ACME, upload);
        assertThat(read(ACME, stored.key())).isEqualTo("abcdef");
        eventually(() -> storage.begun().isEmpty());
    }

    @Test
    void append_whenNotAtTheEnd_isRefusedAndTellsWhereThatIs() throws Exception {
        UploadId upload = begin();
        assertThat(append(upload, 0, "12345")).isEqualTo(5);

        for (long wrong : new long[]{0, 4, 6, -1}) {
            assertThatThrownBy(() -> append(upload, wrong, "x")).isInstanceOfSatisfying(UploadOffsetException.class,
                    e -> {
                        assertThat(e.code()).isEqualTo("pool.upload-offset");
                        assertThat(e.offset()).isEqualTo(5);
                    });
        }
        append(upload, 5, "67");
        assertThat(read(ACME, pool.uploads().finish(ACME, upload).key())).isEqualTo("1234567");
    }

    @Test
    void append_whenBytesAreLeftOfAPieceThatWasCutShort_goesOnWhereItWasTold() throws Exception {
        UploadId upload = begin();
        append(upload, 0, "12345");
        pool.close();
        storage.addToBegun("half a piece");
        pool = Pool.open(config);

        assertThat(pool.uploads().status(ACME, upload).offset()).isEqualTo(5);
        append(upload, 5, "67");
        assertThat(read(ACME, pool.uploads().finish(ACME, upload).key())).isEqualTo("1234567");
    }

    @Test
    void finish_whenBytesAreLeftOfAPieceThatWasCutShort_isWithoutThem() throws Exception {
        UploadId upload = begin();
        append(upload, 0, "12345");
        storage.addToBegun("half a piece");

        assertThat(read(ACME, pool.uploads().finish(ACME, upload).key())).isEqualTo("12345");
    }

    @Test
    void finish_whenTheProcessDiedBeforeTheFileWasKnown_isTakenUpAgain() throws Exception {
        UploadId upload = begin();
        append(upload, 0, "hello");
        dieAt(PoolFaults.Point.PLACED);
        assertThatThrownBy(() -> pool.uploads().finish(ACME, upload)).isInstanceOf(Dead.class);
        reopen();

        assertThat(pool.uploads().list(ACME)).hasSize(1);
        StoredFile stored = pool.uploads().finish(ACME, upload);
        assertThat(read(ACME, stored.key())).isEqualTo("hello");
        assertThat(onDisk(ACME)).hasSize(1);
        eventually(() -> storage.begun().isEmpty());
    }

    @Test
    void finish_whenTheProcessDiedBeforeTheAnswer_givesTheSameFile() throws Exception {
        UploadId upload = begin();
        append(upload, 0, "hello");
        dieAt(PoolFaults.Point.WRITTEN);
        assertThatThrownBy(() -> pool.uploads().finish(ACME, upload)).isInstanceOf(Dead.class);
        reopen();

        StoredFile stored = pool.uploads().finish(ACME, upload);
        assertThat(pool.uploads().finish(ACME, upload)).isEqualTo(stored);
        assertThat(pool.uploads().status(ACME, upload).stored()).contains(stored);
        assertThat(pool.uploads().list(ACME)).isEmpty();
        assertThat(fileCount(ACME)).isEqualTo(1);
        pool.work().complete(claim(ACME).lease());
        assertThat(pool.uploads().finish(ACME, upload)).isEqualTo(stored);
        clocks.pass(config.history().multipliedBy(2));
        assertRefused(UploadNotFoundException.class, "pool.upload-not-found",
                () -> pool.uploads().finish(ACME, upload));
    }

    @Test
    void append_whileAnotherOneIsUnderWay_isRefused() throws Exception {
        UploadId upload = begin();
        append(upload, 0, "123");
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FutureTask<Long> slow = new FutureTask<>(() -> pool.uploads().append(ACME, upload, 3,
                new SequenceInputStream(new ByteArrayInputStream("45".getBytes(UTF_8)), new Acting(() -> {
                    reading.countDown();
                    goOn.await();
                    return 0;
                }))));
        Thread.ofVirtual().start(slow);
        reading.await();

        assertThatThrownBy(() -> append(upload, 3, "xx")).isInstanceOfSatisfying(UploadOffsetException.class,
                e -> assertThat(e.offset()).isEqualTo(3));
        assertRefused(UploadOffsetException.class, "pool.upload-offset", () -> pool.uploads().finish(ACME, upload));
        goOn.countDown();
        assertThat(slow.get()).isEqualTo(5);
        assertThat(read(ACME, pool.uploads().finish(ACME, upload).key())).isEqualTo("12345");
    }

    @Test
    void append_whenManyComeAtOnce_oneOfThemIsThere() throws Exception {
        UploadId upload = begin();

        List<String> won = Crowd.start(20, caller -> {
            try {
                append(upload, 0, "piece " + (char) ('a' + caller));
                return "piece " + (char) ('a' + caller);
            } catch (UploadOffsetException e) {
                return "";
            }
        }).results().stream().filter(piece -> !piece.isEmpty()).toList();

        assertThat(won).hasSize(1);
        assertThat(read(ACME, pool.uploads().finish(ACME, upload).key())).isEqualTo(won.getFirst());
        eventually(() -> storage.begun().isEmpty());
    }

    @Test
    void append_whenTheStreamFails_whatCameIsDurable() throws Exception {
        UploadId upload = begin();
        InputStream broken = new SequenceInputStream(new ByteArrayInputStream("12345".getBytes(UTF_8)),
                new Acting(() -> {
                    throw new IOException("the line is dead");
                }));
        assertThatThrownBy(() -> pool.uploads().append(ACME, upload, 0, broken)).isInstanceOf(IOException.class)
                .hasMessage("the line is dead");
        reopen();

        assertThat(pool.uploads().status(ACME, upload).offset()).isEqualTo(5);
        append(upload, 5, "6");
        assertThat(read(ACME, pool.uploads().finish(ACME, upload).key())).isEqualTo("123456");
    }

    @Test
    void upload_whenItsSizeWasTold_takesNeitherMoreNorLess() throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed(), 5);
        append(upload, 0, "123");

        assertThatThrownBy(() -> pool.uploads().append(ACME, upload, 3, new ByteArrayInputStream(new byte[3])))
                .isInstanceOf(IOException.class).hasMessageContaining("5");
        assertThatThrownBy(() -> pool.uploads().finish(ACME, upload)).isInstanceOfSatisfying(
                UploadOffsetException.class, e -> assertThat(e.offset()).isEqualTo(3));
        append(upload, 3, "45");
        assertThat(read(ACME, pool.uploads().finish(ACME, upload).key())).isEqualTo("12345");
        assertRefused(UploadOffsetException.class, "pool.upload-offset", () -> append(upload, 5, "6"));
    }

    @Test
    void finish_whenNothingCame_isAnEmptyFile() throws Exception {
        FileKey key = pool.uploads().finish(ACME, begin()).key();

        assertThat(read(ACME, key)).isEmpty();
        assertThat(pool.files().get(ACME, key).status()).isEqualTo(FileStatus.PENDING);
    }

    @Test
    void upload_ofAnotherTenant_isNotFound() throws Exception {
        UploadId upload = begin();
        append(upload, 0, "secret");

        assertRefused(UploadNotFoundException.class, "pool.upload-not-found",
                () -> pool.uploads().status(OTHER, upload));
        assertRefused(UploadNotFoundException.class, "pool.upload-not-found",
                () -> pool.uploads().append(OTHER, upload, 6, new byte[1]));
        assertRefused(UploadNotFoundException.class, "pool.upload-not-found",
                () -> pool.uploads().finish(OTHER, upload));
        assertThat(pool.uploads().cancel(OTHER, upload)).isFalse();
        assertThat(pool.uploads().list(OTHER)).isEmpty();
        assertThat(pool.uploads().list(ACME)).extracting(UploadStatus::offset).containsExactly(6L);
        Set<UploadId> ids = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            ids.add(begin());
        }
        assertThat(ids).hasSize(100);
    }

    @Test
    void upload_whenNothingComesForTooLong_isDropped() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(1));
        UploadId upload = begin();
        append(upload, 0, "123");
        clocks.pass(config.uploadExpiry().minusMillis(1));
        append(upload, 3, "45");
        clocks.pass(config.uploadExpiry().minusMillis(1));
        assertThat(pool.uploads().status(ACME, upload).offset()).isEqualTo(5);
        clocks.pass(config.uploadExpiry().dividedBy(2));

        assertRefused(UploadNotFoundException.class, "pool.upload-not-found", () -> append(upload, 5, "6"));
        assertThat(pool.uploads().list(ACME)).isEmpty();
        pool.tick();
        eventually(() -> storage.begun().isEmpty());
        eventually(() -> events().contains("upload.expired"));
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
        begin();
    }

    @Test
    void dryRun_saysHowManyWouldBeDroppedAndDropsNone() throws Exception {
        begin();
        clocks.pass(config.uploadExpiry().plusMillis(1));
        begin();

        assertThat(DrainContract.ended(pool.jobs().trigger(new JobName("expire-uploads"), JobRequest.DRY_RUN).handle())
                .result()).contains("dry run: 1 uploads would be dropped");

        assertThat(events()).doesNotContain("upload.expired");
        assertThat(DrainContract.ended(pool.jobs().trigger(new JobName("expire-uploads")).handle()).result())
                .contains("1 uploads were dropped");
    }

    @Test
    void cancel_whetherOrNotItIsBeingFinished_leavesNothing() throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed(), 1000);
        append(upload, 0, "123");
        UploadId placed = begin();
        append(placed, 0, "123");
        dieAt(PoolFaults.Point.PLACED);
        assertThatThrownBy(() -> pool.uploads().finish(ACME, placed)).isInstanceOf(Dead.class);
        reopen();

        assertThat(pool.uploads().cancel(ACME, upload)).isTrue();
        assertThat(pool.uploads().cancel(ACME, placed)).isTrue();
        assertThat(pool.uploads().cancel(ACME, upload)).isFalse();

        assertRefused(UploadNotFoundException.class, "pool.upload-not-found",
                () -> pool.uploads().finish(ACME, placed));
        eventually(() -> onDisk(ACME).isEmpty());
        eventually(() -> storage.begun().isEmpty());
        assertThat(pool.volumes().get("main").inFlight()).isZero();
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    @Test
    void begin_whenAHundredComeAtOnceAndTenMay_tenAreThereAndCanBeFinished() throws Exception {
        pool.quotas().set(QuotaRule.of("acme/in", 10));

        List<UploadId> begun = Crowd.start(100, _ -> {
            try {
                return List.of(pool.uploads().begin(ACME, NewFile.unnamed().in("in")));
            } catch (DirectoryQuotaExceededException e) {
                return List.<UploadId>of();
            }
        }).results().stream().flatMap(List::stream).toList();

        assertThat(begun).hasSize(10);
        assertRefused(DirectoryQuotaExceededException.class, "pool.directory-quota-exceeded",
                () -> write(ACME, NewFile.unnamed().in("in"), "x"));
        for (UploadId upload : begun) {
            append(upload, 0, "x");
            pool.uploads().finish(ACME, upload);
        }
        assertThat(pool.quotas().fileCount(ACME, new LogicalDirectory("in"))).isEqualTo(10);
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    @Test
    void upload_whileOpen_countsForTheTenantsBytes() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withBytes(10));
        UploadId told = pool.uploads().begin(ACME, NewFile.unnamed(), 6);
        UploadId untold = begin();
        append(untold, 0, "123");

        assertRefused(TenantQuotaExceededException.class, "pool.tenant-quota-exceeded", () -> write(ACME, "xx"));
        assertRefused(TenantQuotaExceededException.class, "pool.tenant-quota-exceeded", () -> append(untold, 3, "45"));
        assertRefused(TenantQuotaExceededException.class, "pool.tenant-quota-exceeded",
                () -> pool.uploads().begin(ACME, NewFile.unnamed(), 2));
        assertThat(pool.uploads().status(ACME, untold).offset()).isEqualTo(3);
        append(told, 0, "123456");
        pool.uploads().finish(ACME, told);
        pool.uploads().finish(ACME, untold);
        write(ACME, "x");
        assertThat(pool.tenants().usage(ACME).bytes()).isEqualTo(10);
    }

    @Test
    void upload_ofUntoldLength_whenItBecomesTooLargeForItsTenant_isToldToGiveUp() throws Exception {
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withBytes(10));
        UploadId upload = begin();
        append(upload, 0, "123456");
        write(ACME, "1234");

        assertThatThrownBy(() -> append(upload, 6, "7890")).isInstanceOfSatisfying(TenantQuotaExceededException.class,
                e -> assertThat(e.advice()).as("there may be room for 10 bytes").isEqualTo(Advice.RETRY));
        assertThatThrownBy(() -> append(upload, 6, "78901")).isInstanceOfSatisfying(TenantQuotaExceededException.class,
                e -> assertThat(e.advice()).as("never for 11").isEqualTo(Advice.GIVE_UP));
        assertThat(pool.uploads().status(ACME, upload).offset()).isEqualTo(6);
    }

    @Test
    void finish_whenRefused_keepsThePiecesForAnotherTry() throws Exception {
        UploadId upload = begin();
        append(upload, 0, "12345");
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withBytes(4));

        assertRefused(TenantQuotaExceededException.class, "pool.tenant-quota-exceeded",
                () -> pool.uploads().finish(ACME, upload));
        pool.tenants().setLimits(ACME, TenantLimits.NONE);
        pool.tenants().suspend(ACME);
        assertRefused(PoolException.class, "pool.tenant-suspended", () -> pool.uploads().finish(ACME, upload));
        pool.tenants().enable(ACME);
        assertThat(read(ACME, pool.uploads().finish(ACME, upload).key())).isEqualTo("12345");
    }

    @Test
    void begin_keepsRoomForWhatWasTold_alsoAfterARestart() throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed(), 1000);
        assertThat(pool.volumes().get("main").inFlight()).isEqualTo(1000);
        append(upload, 0, "0123456789");
        assertThat(pool.volumes().get("main").inFlight()).isEqualTo(990);
        reopen();

        assertThat(pool.volumes().get("main").inFlight()).isEqualTo(990);
        assertRefused(PoolException.class, "pool.insufficient-storage",
                () -> pool.uploads().begin(ACME, NewFile.unnamed(), Long.MAX_VALUE));
        pool.uploads().cancel(ACME, upload);
        assertThat(pool.volumes().get("main").inFlight()).isZero();
    }

    @Test
    void begin_isCheckedInTheOrderOfAWrite() {
        NewFile wrong = NewFile.named("a/b");
        pool.quotas().set(QuotaRule.of("acme", 0));
        pool.volumes().setReadOnly("main");
        pool.tenants().disable(ACME);

        assertRefused(PoolException.class, "pool.tenant-disabled", () -> pool.uploads().begin(ACME, wrong));
        pool.tenants().enable(ACME);
        assertRefused(PoolException.class, "pool.directory-quota-exceeded", () -> pool.uploads().begin(ACME, wrong));
        pool.quotas().remove("acme");
        assertRefused(PoolException.class, "pool.volume-unavailable", () -> pool.uploads().begin(ACME, wrong));
        pool.volumes().activate("main");
        assertRefused(InvalidNameException.class, "pool.invalid-name", () -> pool.uploads().begin(ACME, wrong));
        assertThat(pool.uploads().list(ACME)).isEmpty();
    }

    @Test
    void finish_whenTheKeyWasUsed_isTheFileThatWasThere() throws Exception {
        NewFile file = NewFile.named("a.txt").withIdempotencyKey("4711");
        FileKey first = write(ACME, file, "x");
        UploadId same = pool.uploads().begin(ACME, file);
        append(same, 0, "x");
        UploadId another = pool.uploads().begin(ACME, file);
        append(another, 0, "y");

        StoredFile stored = pool.uploads().finish(ACME, same);

        assertThat(stored.key()).isEqualTo(first);
        assertThat(stored.created()).isFalse();
        assertThat(pool.uploads().finish(ACME, same)).isEqualTo(stored);
        assertRefused(PoolException.class, "pool.idempotency-conflict", () -> pool.uploads().finish(ACME, another));
        pool.uploads().cancel(ACME, another);
        eventually(() -> onDisk(ACME).size() == 1);
        eventually(() -> storage.begun().isEmpty());
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    @Test
    void append_whenCancelledMeanwhile_isNotFoundAndKeepsNoRoom() throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed(), 1000);
        append(upload, 0, "123");
        InputStream cancelling = new Acting(() -> pool.uploads().cancel(ACME, upload) ? 1 : 0);

        assertRefused(UploadNotFoundException.class, "pool.upload-not-found",
                () -> pool.uploads().append(ACME, upload, 3, cancelling));
        eventually(() -> storage.begun().isEmpty());
        assertThat(pool.volumes().get("main").inFlight()).isZero();
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }
}
