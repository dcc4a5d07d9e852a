package io.entrepot.chaos.pool;

import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.Call.Step.Kind;
import io.entrepot.chaos.history.Ending;
import io.entrepot.chaos.history.Grant;
import io.entrepot.chaos.history.Recorder;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileAlreadyProcessingException;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.FileStateException;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UnknownOutcomeException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One user's life: writes files small and large, claims some, reads them and does with them all that workers do, good and
 * bad; deletes some, reads others. What it does is recorded; what it sees and must not is told at once. Use by one thread.
 */
final class PoolWorkload {
    /** Most are small; some just fit, or just do not fit, among the files that share their syncs. */
    private static final List<Integer> SIZES = List.of(0, 10, 100, 700, 2_000, Place.REDO_LIMIT, Place.REDO_LIMIT + 1,
            30_000);
    private static final int LARGE = 150_000;
    private static final int REMEMBERED = 20;

    private final String name;
    private final Pool pool;
    private final Recorder recorder;
    private final Random random;
    private final Duration term;
    private final Runnable dawdle;
    private final Consumer<String> bad;
    private final Bug bug;
    /** Codes of errors that are no wonder, as the disks are bad; with them readers may fail too. */
    private final Set<String> expected;
    private int troubles;
    private final List<StoredFile> own = new ArrayList<>();

    PoolWorkload(String name, Pool pool, Recorder recorder, Random random, Duration term, Runnable dawdle,
            Consumer<String> bad, Bug bug, Set<String> expected) {
        this.name = name;
        this.pool = pool;
        this.recorder = recorder;
        this.random = random;
        this.term = term;
        this.dawdle = dawdle;
        this.bad = bad;
        this.bug = bug;
        this.expected = Set.copyOf(expected);
    }

    /** How often something was refused because of a disk. */
    int troubles() {
        return troubles;
    }

    /** Makes a call that may be interrupted or refused. */
    private interface Made {
        Answer make() throws InterruptedException;
    }

    /** Does one thing or another. */
    void step(int number) throws InterruptedException {
        if (number % 3 < 2) {
            int size = random.nextInt(40) == 0 ? LARGE : SIZES.get(random.nextInt(SIZES.size()));
            write(new Token(name, number, size));
        }
        if (random.nextInt(6) == 0 && !own.isEmpty()) {
            look(own.get(random.nextInt(own.size())));
        }
        if (random.nextInt(12) == 0 && !own.isEmpty()) {
            delete(own.remove(random.nextInt(own.size())));
        }
        work();
    }

    /** Writes a file, with a key sometimes twice. */
    void write(Token token) throws InterruptedException {
        for (int times = token.key().isPresent() && random.nextInt(3) == 0 ? 2 : 1; times > 0; times--) {
            long number = recorder.began(name, new Call.Put(token.word(), token.key()));
            if (bug == Bug.ANSWERS_FIRST) {
                recorder.ended(number, new Answer.Stored(token.word()));
            }
            Answer answer = answer(() -> {
                StoredFile stored = pool.files().write(token.tenant(), token.file(), token.content());
                remember(stored);
                return new Answer.Stored(stored.key().toString());
            });
            if (bug != Bug.ANSWERS_FIRST) {
                recorder.ended(number, answer);
            }
        }
    }

    private void remember(StoredFile stored) {
        if (own.size() == REMEMBERED) {
            own.removeFirst();
        }
        own.add(stored);
    }

    /** Claims a few of one tenant and works on them. */
    void work() throws InterruptedException {
        TenantId tenant = Token.TENANTS.get(random.nextInt(Token.TENANTS.size()));
        long number = recorder.began(name, new Call.Claim());
        List<ClaimedFile> claimed = new ArrayList<>();
        recorder.ended(number, answer(() -> {
            claimed.addAll(claim(tenant));
            return new Answer.Granted(claimed.stream().map(PoolWorkload::grant).toList());
        }));
        for (ClaimedFile file : claimed) {
            workOn(file);
        }
    }

    private List<ClaimedFile> claim(TenantId tenant) throws InterruptedException {
        if (random.nextInt(10) == 0 && !own.isEmpty()) {
            StoredFile file = own.get(random.nextInt(own.size()));
            return List.of(pool.work().claim(file.tenant(), file.key(), name, term));
        }
        return pool.work().claim(ClaimOrder.of(tenant, name).withMax(1 + random.nextInt(3)).withTerm(term));
    }

    private void workOn(ClaimedFile claimed) throws InterruptedException {
        int mood = random.nextInt(100);
        if (mood < 4) {
            return; // never comes back
        }
        if (mood < 10) {
            dawdle.run(); // comes back too late, or nearly
        }
        read(claimed.file());
        if (mood < 20) {
            step(Kind.RENEW, claimed, () -> {
                pool.work().renew(claimed.lease());
                return new Answer.Renewed();
            });
        }
        Kind kind = mood < 70 ? Kind.FINISH : mood < 90 ? Kind.FAIL : Kind.RELEASE;
        boolean keep = mood < 12;
        for (int times = random.nextInt(12) == 0 ? 2 : 1; times > 0; times--) {
            step(kind, claimed, () -> ended(end(kind, claimed, keep)));
        }
    }

    FileOutcome end(Kind kind, ClaimedFile claimed, boolean keep) {
        if (bug == Bug.UNLINKS_FIRST && kind == Kind.FINISH && !keep) {
            try {
                Files.deleteIfExists(claimed.file().path().orElseThrow());
            } catch (IOException e) {
                bad.accept(e.toString());
            }
        }
        return switch (kind) {
            case FINISH -> keep
                    ? pool.work().completeAndKeep(claimed.lease())
                    : pool.work().complete(claimed.lease());
            case FAIL -> pool.work().fail(claimed.lease(), "chaos");
            case RELEASE, RENEW -> pool.work().release(claimed.lease());
        };
    }

    private void delete(StoredFile file) throws InterruptedException {
        Optional<Token> token = pool.files().find(file.tenant(), file.key()).flatMap(FileInfo::name)
                .flatMap(Token::parse);
        if (token.isPresent()) {
            long number = recorder.began(name, new Call.Remove(token.get().word()));
            recorder.ended(number, answer(() -> {
                pool.files().delete(file.tenant(), file.key(), "chaos");
                return new Answer.Removed();
            }));
        }
    }

    /** Any file may be gone by now; if it is there, it is whole. */
    private void look(StoredFile file) throws InterruptedException {
        Optional<FileInfo> found = pool.files().find(file.tenant(), file.key());
        if (found.isPresent()) {
            read(found.get());
        }
    }

    private void read(FileInfo file) throws InterruptedException {
        byte[] wanted = file.name().flatMap(Token::parse).map(Token::content).orElse(new byte[0]);
        try (FileContent content = pool.files().open(file.tenant(), file.key())) {
            byte[] found = content.verifiedStream().readAllBytes();
            if (!Arrays.equals(found, wanted)) {
                bad.accept("a reader got " + found.length + " bytes that are not those of " + file);
            }
        } catch (FileNotFoundException e) {
            // Somebody was quicker.
        } catch (PoolException e) {
            if (bug == Bug.NONE && !isExpected(e)) {
                bad.accept("a reader of " + file.name() + " got " + e);
            }
        } catch (IOException e) {
            troubles++;
            if (expected.isEmpty()) {
                bad.accept("a reader of " + file.name() + " got " + e);
            }
        }
    }

    private void step(Kind kind, ClaimedFile claimed, Made call) throws InterruptedException {
        long number = recorder.began(name, new Call.Step(kind, grant(claimed)));
        recorder.ended(number, answer(call));
    }

    /** What else is refused than the losers of a race, and what a bad disk explains, is a fault of the pool. */
    private Answer answer(Made call) throws InterruptedException {
        try {
            return call.make();
        } catch (FileLeaseLostException | FileNotFoundException | FileAlreadyProcessingException
                | FileStateException e) {
            return new Answer.Refused(e.code());
        } catch (UnknownOutcomeException e) {
            bad.accept(e.toString());
            return new Answer.Unknown(e.code());
        } catch (PoolException e) {
            if (!isExpected(e)) {
                bad.accept(e.toString());
            }
            return new Answer.Refused(e.code());
        }
    }

    private boolean isExpected(PoolException e) {
        troubles++;
        return expected.contains(e.code());
    }

    private static Answer ended(FileOutcome outcome) {
        return new Answer.Ended(switch (outcome.kind()) {
            case COMPLETED -> Ending.FINISHED;
            case KEPT -> Ending.KEPT;
            case RETRYING -> Ending.RETRYING;
            case PERMANENTLY_FAILED -> Ending.DEAD;
            case RELEASED, PUT_OFF -> Ending.RELEASED;
        }, outcome.repeated());
    }

    private static Grant grant(ClaimedFile claimed) {
        String word = claimed.file().name().flatMap(Token::parse).map(Token::word).orElse("nameless");
        return new Grant(word, claimed.lease().fence().epoch().value(),
                Long.toHexString(claimed.lease().fence().nonce()));
    }
}
