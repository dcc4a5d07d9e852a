package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileAlreadyProcessingException;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.FileStateException;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.IdempotencyConflictException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.NoFilesAvailableException;
import io.entrepot.queue.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Each file is handed to exactly one worker. */
abstract class WorkContract extends PoolContract {

    WorkContract(PoolFixture fixture) {
        super(fixture);
    }

    @Test
    void complete_whenDone_takesTheFileItsBytesAndItsCharge() throws Exception {
        FileKey key = write(ACME, "x");
        ClaimedFile claimed = claim(ACME);
        assertThat(claimed.key()).isEqualTo(key);
        assertThat(claimed.file().status()).isEqualTo(FileStatus.PROCESSING);
        assertThat(claimed.term()).isEqualTo(Duration.ofMinutes(30));

        FileOutcome outcome = pool.work().complete(claimed.lease());

        assertThat(outcome.kind()).isEqualTo(FileOutcome.Kind.COMPLETED);
        assertThat(pool.files().find(ACME, key)).isEmpty();
        assertThat(pool.tenants().usage(ACME).files()).isZero();
        assertThat(pool.tenants().usage(ACME).bytes()).isZero();
        eventually(() -> onDisk(ACME).isEmpty());
        assertThat(events()).containsSubsequence("file.written", "file.completed");
    }

    @Test
    void claim_withAnIdempotencyKeyWhenRepeated_givesTheSameLeasesAlsoAfterARestart() throws Exception {
        for (int i = 0; i < 3; i++) {
            write(ACME, "x" + i);
        }
        ClaimOrder order = ClaimOrder.of(ACME, "worker").withMax(2).withIdempotencyKey("k");
        List<ClaimedFile> first = pool.work().claim(order);
        assertThat(first).hasSize(2);
        assertThat(pool.work().claim(order)).isEqualTo(first);
        reopen();
        assertThat(pool.work().claim(order)).extracting(ClaimedFile::lease)
                .isEqualTo(first.stream().map(ClaimedFile::lease).toList());
        assertRefused(IdempotencyConflictException.class, "pool.idempotency-conflict",
                () -> pool.work().claim(order.withMax(3)));

        pool.work().complete(first.getFirst().lease());
        assertThat(pool.work().claim(order)).extracting(ClaimedFile::lease)
                .containsExactly(first.getLast().lease());
        pool.work().complete(first.getLast().lease());
        assertRefused(IdempotencyConflictException.class, "pool.idempotency-conflict", () -> pool.work().claim(order));
        assertThat(fileCount(ACME)).isEqualTo(1);
    }

    @Test
    void claim_withAnIdempotencyKeyWhenItsFileHasGone_givesAnotherOne() throws Exception {
        FileKey gone = write(ACME, "x");
        ClaimOrder order = ClaimOrder.of(ACME, "worker").withIdempotencyKey("k");
        assertThat(pool.work().claim(order)).extracting(ClaimedFile::key).containsExactly(gone);
        pool.files().delete(ACME, gone, "unwanted");
        assertThat(pool.work().claim(order)).isEmpty();

        FileKey next = write(ACME, "y");
        assertThat(pool.work().claim(order)).extracting(ClaimedFile::key).containsExactly(next);
        pool.work().reset(ACME, next);
        assertThat(claim(ACME).key()).isEqualTo(next);
        FileKey last = write(ACME, "z");
        assertThat(pool.work().claim(order)).extracting(ClaimedFile::key).containsExactly(last);
    }

    @Test
    void claimOfOne_withAnIdempotencyKeyWhenRepeated_givesTheSameLease() throws Exception {
        FileKey key = write(ACME, "x");
        ClaimedFile first = pool.work().claim(ACME, key, "worker", TERM, Optional.of("k"));
        assertThat(pool.work().claim(ACME, key, "worker", TERM, Optional.of("k"))).isEqualTo(first);
        assertRefused(FileAlreadyProcessingException.class, "pool.file-already-processing",
                () -> pool.work().claim(ACME, key, "worker", TERM, Optional.of("another")));
    }

    @Test
    void complete_whenRepeated_givesTheFirstOutcomeAndChangesNothing() throws Exception {
        write(ACME, "x");
        ClaimedFile claimed = claim(ACME);
        pool.work().complete(claimed.lease());
        write(ACME, "y");

        assertThat(pool.work().complete(claimed.lease()).repeated()).isTrue();
        assertThat(pool.work().fail(claimed.lease(), "too late").kind()).isEqualTo(FileOutcome.Kind.COMPLETED);
        assertThat(fileCount(ACME)).isEqualTo(1);
    }

    @Test
    void complete_whenTheLeaseRanOut_isRefusedAndTheFileStays() throws Exception {
        FileKey key = write(ACME, "x");
        ClaimedFile slow = pool.work().claim(ClaimOrder.of(ACME, "slow").withTerm(TERM)).getFirst();
        clocks.pass(TERM);
        pool.tick();
        ClaimedFile next = claim(ACME);
        assertThat(next.key()).isEqualTo(key);

        assertRefused(FileLeaseLostException.class, "pool.lease-lost", () -> pool.work().complete(slow.lease()));
        assertRefused(FileLeaseLostException.class, "pool.lease-lost", () -> pool.work().renew(slow.lease()));
        assertRefused(FileLeaseLostException.class, "pool.lease-lost", () -> pool.work().fail(slow.lease(), "x"));
        assertThat(read(ACME, key)).isEqualTo("x");
        assertThat(next.file().deliveries()).isEqualTo(1);
        assertThat(events()).contains("file.lease-expired");
        pool.work().complete(next.lease());
    }

    @Test
    void completeAndKeep_whenDone_theFileIsCompletedAndCounted() throws Exception {
        FileKey key = write(ACME, "x");

        assertThat(pool.work().completeAndKeep(claim(ACME).lease()).kind()).isEqualTo(FileOutcome.Kind.KEPT);

        assertThat(pool.work().status(ACME, key)).isEqualTo(FileStatus.COMPLETED);
        assertThat(read(ACME, key)).isEqualTo("x");
        assertThat(fileCount(ACME)).isEqualTo(1);
        assertThat(pool.work().claim(ACME, "worker")).isEmpty();
    }

    @Test
    void fail_whenTriedAgain_comesBackAfterItsDelayUntilTheLastAttempt() throws Exception {
        FileKey key = write(ACME, "x");
        for (int attempt = 1; attempt < 3; attempt++) {
            assertThat(pool.work().fail(claim(ACME).lease(), "no " + attempt).kind())
                    .isEqualTo(FileOutcome.Kind.RETRYING);
            FileInfo waiting = pool.files().get(ACME, key);
            assertThat(waiting.status()).isEqualTo(FileStatus.PENDING);
            assertThat(waiting.attempts()).isEqualTo(attempt);
            assertThat(waiting.lastError()).contains("no " + attempt);
            assertThat(waiting.lastFailedAt()).contains(clocks.instant());
            Duration delay = Duration.ofSeconds(attempt == 1 ? 5 : 10);
            assertThat(waiting.availableAt()).contains(clocks.instant().plus(delay));
            clocks.pass(delay.minusMillis(1));
            pool.tick();
            assertThat(pool.work().claim(ACME, "worker")).isEmpty();
            clocks.pass(Duration.ofMillis(1));
            pool.tick();
        }

        assertThat(pool.work().fail(claim(ACME).lease(), "no more").kind())
                .isEqualTo(FileOutcome.Kind.PERMANENTLY_FAILED);
        assertThat(pool.work().status(ACME, key)).isEqualTo(FileStatus.PERMANENTLY_FAILED);
        assertThat(events()).contains("file.failed", "file.failed-permanently");
        assertThat(pool.work().retryAllFailed(ACME)).isEqualTo(1);
        assertThat(claim(ACME).file().attempts()).isZero();
    }

    @Test
    void fail_whenTheTenantHasARule_goesByIt() throws Exception {
        pool.tenants().setRetry(ACME, Optional.of(RetryPolicy.fixed(Duration.ofHours(1), 2)));
        FileKey key = write(ACME, "x");
        reopen();

        pool.work().fail(claim(ACME).lease(), "no");
        assertThat(pool.files().get(ACME, key).availableAt()).contains(clocks.instant().plus(Duration.ofHours(1)));
        assertThat(pool.work().retryNow(ACME, key)).isTrue();
        assertThat(pool.work().fail(claim(ACME).lease(), "no").kind()).isEqualTo(FileOutcome.Kind.PERMANENTLY_FAILED);
    }

    @Test
    void failForGood_isNotTriedAgain() throws Exception {
        write(ACME, "x");

        assertThat(pool.work().failForGood(claim(ACME).lease(), "not a PDF").kind())
                .isEqualTo(FileOutcome.Kind.PERMANENTLY_FAILED);
    }

    @Test
    void release_keepsThePlaceInTheQueue() throws Exception {
        FileKey first = write(ACME, "1");
        write(ACME, "2");

        pool.work().release(claim(ACME).lease());

        assertThat(claim(ACME).key()).isEqualTo(first);
    }

    @Test
    void claim_ofACertainFile_isItsClaimOrARefusal() throws Exception {
        write(ACME, "1");
        FileKey second = write(ACME, "2");

        ClaimedFile claimed = pool.work().claim(ACME, second, "me", TERM);

        assertThat(claimed.key()).isEqualTo(second);
        assertRefused(FileAlreadyProcessingException.class, "pool.file-already-processing",
                () -> pool.work().claim(ACME, second, "you", TERM));
        pool.work().completeAndKeep(claimed.lease());
        assertRefused(FileStateException.class, "pool.wrong-state",
                () -> pool.work().claim(ACME, second, "you", TERM));
        pool.work().reset(ACME, second);
        assertThat(pool.work().claim(ACME, second, "you", TERM).file().worker()).contains("you");
        assertRefused(FileNotFoundException.class, "pool.file-not-found",
                () -> pool.work().claim(OTHER, second, "you", TERM));
    }

    @Test
    void reset_takesTheFileFromItsWorker() throws Exception {
        FileKey key = write(ACME, "x");
        ClaimedFile claimed = claim(ACME);

        pool.work().reset(ACME, key);

        assertRefused(FileLeaseLostException.class, "pool.lease-lost", () -> pool.work().complete(claimed.lease()));
        assertThat(claim(ACME).key()).isEqualTo(key);
    }

    @Test
    void take_whenNothingComes_saysSo() {
        assertRefused(NoFilesAvailableException.class, "pool.no-files-available",
                () -> pool.work().take(ACME, "worker", Duration.ofMillis(1)));
    }

    @Test
    void claim_whenItWaits_isWokenByAWrite() throws Exception {
        Crowd<ClaimedFile> waiting = Crowd.start(1, _ -> pool.work().take(ACME, "worker", Duration.ofHours(1)));
        FileKey key = write(ACME, "x");

        assertThat(waiting.results()).singleElement().satisfies(claimed -> assertThat(claimed.key()).isEqualTo(key));
    }

    @Test
    void claim_ofMany_isInOrderOfPriorityAndTime() throws Exception {
        FileKey low = write(ACME, NewFile.unnamed().withPriority(-1), "low");
        FileKey first = write(ACME, "1");
        FileKey second = write(ACME, "2");
        FileKey high = write(ACME, NewFile.unnamed().withPriority(1), "high");
        write(ACME, NewFile.unnamed().availableAt(clocks.instant().plusSeconds(60)), "later");

        List<ClaimedFile> claimed = pool.work().claim(ClaimOrder.of(ACME, "worker").withMax(10));

        assertThat(claimed).extracting(ClaimedFile::key).containsExactly(high, first, second, low);
        List<Optional<FileOutcome>> done = pool.work().completeAll(
                claimed.stream().map(ClaimedFile::lease).toList());
        assertThat(done).allMatch(Optional::isPresent);
        assertThat(fileCount(ACME)).isEqualTo(1);
    }

    @Test
    void everything_whenManyDoItAtOnce_isDoneOnce() throws Exception {
        int files = 200;
        Set<FileKey> written = ConcurrentHashMap.newKeySet();
        Crowd<Boolean> writers = Crowd.start(8, _ -> {
            for (int i = 0; i < files / 8; i++) {
                written.add(write(ACME, "x"));
            }
            return true;
        });
        List<FileKey> done = java.util.Collections.synchronizedList(new ArrayList<>());
        Crowd<Boolean> workers = Crowd.start(8, caller -> {
            while (done.size() < files) {
                for (ClaimedFile claimed : pool.work().claim(ClaimOrder.of(ACME, "w" + caller)
                        .waiting(Duration.ofMillis(20)))) {
                    pool.work().complete(claimed.lease());
                    done.add(claimed.key());
                }
            }
            return true;
        });
        writers.results();
        workers.results();

        assertThat(done).hasSize(files);
        assertThat(new HashSet<>(done)).isEqualTo(written);
        assertThat(pool.tenants().usage(ACME).files()).isZero();
        eventually(() -> onDisk(ACME).isEmpty());
    }

    @Test
    void putOff_howeverOften_countsNothingAndWaitsLongerEachTime() throws Exception {
        FileKey key = write(ACME, "x");
        for (int seconds : new int[]{1, 2, 4, 8, 16, 32, 60, 60}) {
            assertThat(pool.work().putOff(claim(ACME).lease(), "the printer is off").kind())
                    .isEqualTo(FileOutcome.Kind.PUT_OFF);
            FileInfo file = pool.files().get(ACME, key);
            assertThat(file.attempts()).isZero();
            assertThat(file.deliveries()).isZero();
            assertThat(file.lastError()).contains("the printer is off");
            assertThat(Duration.between(clocks.instant(), file.availableAt().orElseThrow()))
                    .isEqualTo(Duration.ofSeconds(seconds));
            clocks.pass(Duration.ofSeconds(seconds));
            pool.tick();
        }
        pool.work().fail(claim(ACME).lease(), "torn");
        clocks.pass(Duration.ofSeconds(5));
        pool.tick();
        FileLease lease = claim(ACME).lease();
        pool.work().putOff(lease, "no ink", Duration.ofHours(2));
        assertThat(pool.files().get(ACME, key).availableAt()).contains(clocks.instant().plus(Duration.ofHours(2)));
        assertThat(pool.files().get(ACME, key).attempts()).isEqualTo(1);
        assertThat(pool.work().complete(lease).repeated()).isTrue();
        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> pool.work().putOff(lease, "no ink", Duration.ofSeconds(-1)));
    }
}
