package io.entrepot.chaos.server;

import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.Call.Step.Kind;
import io.entrepot.chaos.history.Ending;
import io.entrepot.chaos.history.Grant;
import io.entrepot.client.ClientConfig;
import io.entrepot.client.EntrepotClient;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program that uses the client for Java as its guide says, and does nothing about servers that die: that is the client's business.
 * So whatever it is told but the loss of a lease or of a file is a violation. Its own thread.
 */
final class JavaClient extends Customer {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final List<Integer> SIZES = List.of(0, 10, 4096, 4096, 30_000, 150_000);

    private final Host host;

    JavaClient(Life life, Host host) {
        super(life);
        this.host = host;
    }

    @Override
    void live() throws InterruptedException {
        ClientConfig config = ClientConfig.of(URI.create("http://127.0.0.1:" + host.address().getPort()), host.key())
                .withDeadline(DEADLINE);
        try (FilePool pool = EntrepotClient.connect(config)) {
            for (int number = 0; goesOn(); number++) {
                if (number % 3 < 2) {
                    store(pool, parcel(number, SIZES));
                }
                work(pool);
            }
        }
    }

    /** What a program calls; some say that they were too late. */
    private interface Asked {
        Answer ask() throws InterruptedException;
    }

    private void attempt(Call call, Asked asked) throws InterruptedException {
        long number = recorder.began(name, call);
        Answer answer;
        try {
            answer = asked.ask();
        } catch (FileLeaseLostException | FileNotFoundException e) {
            answer = new Answer.Refused(e.code());
        } catch (PoolException e) {
            bad(name + " was not helped by its client: " + e);
            answer = new Answer.Unknown(e.code());
        }
        answered();
        recorder.ended(number, answer);
    }

    private void store(FilePool pool, Parcel parcel) throws InterruptedException {
        NewFile plain = NewFile.named(parcel.word());
        NewFile file = parcel.key().map(plain::withIdempotencyKey).orElse(plain);
        attempt(new Call.Put(parcel.word(), parcel.key()), () -> new Answer.Stored(pool.files().write(TenantId.DEFAULT,
                file, parcel.content()).key().toString()));
    }

    private void work(FilePool pool) throws InterruptedException {
        List<ClaimedFile> claimed = new ArrayList<>();
        attempt(new Call.Claim(), () -> {
            claimed.addAll(pool.work().claim(ClaimOrder.of(TenantId.DEFAULT, name).withMax(1 + random.nextInt(3))
                    .withTerm(Client.TERM).waiting(Duration.ofMillis(50))));
            return new Answer.Granted(claimed.stream().map(JavaClient::grant).toList());
        });
        for (ClaimedFile one : claimed) {
            workOn(pool, one);
        }
    }

    private static Grant grant(ClaimedFile claimed) {
        FileLease lease = claimed.lease();
        return new Grant(claimed.file().name().orElse("nameless"), lease.fence().epoch().value(),
                Long.toHexString(lease.fence().nonce()));
    }

    private void workOn(FilePool pool, ClaimedFile claimed) throws InterruptedException {
        int mood = random.nextInt(100);
        FileLease lease = claimed.lease();
        if (mood < 25) {
            read(pool, claimed);
        }
        if (mood < 10) {
            attempt(new Call.Step(Kind.RENEW, grant(claimed)), () -> {
                pool.work().renew(lease);
                return new Answer.Renewed();
            });
        }
        if (mood < 80) {
            attempt(new Call.Step(Kind.FINISH, grant(claimed)), () -> ended(mood < 12
                    ? pool.work().completeAndKeep(lease)
                    : pool.work().complete(lease)));
        } else if (mood < 90) {
            attempt(new Call.Step(Kind.FAIL, grant(claimed)), () -> ended(pool.work().fail(lease, "chaos")));
        } else {
            attempt(new Call.Step(Kind.RELEASE, grant(claimed)), () -> ended(pool.work().release(lease)));
        }
    }

    /** Never as repeated: it is called once here, and what the client has repeated within that call is its own business. */
    private static Answer ended(FileOutcome outcome) {
        return new Answer.Ended(switch (outcome.kind()) {
            case COMPLETED -> Ending.FINISHED;
            case KEPT -> Ending.KEPT;
            case RETRYING -> Ending.RETRYING;
            case PERMANENTLY_FAILED -> Ending.DEAD;
            case RELEASED, PUT_OFF -> Ending.RELEASED;
        }, false);
    }

    /** Any file may be gone by now; if it is there, it is whole. */
    private void read(FilePool pool, ClaimedFile claimed) throws InterruptedException {
        String word = claimed.file().name().orElse("nameless");
        try (FileContent content = pool.files().open(TenantId.DEFAULT, claimed.key());
                InputStream in = content.verifiedStream()) {
            byte[] got = in.readAllBytes();
            if (!Arrays.equals(got, Parcel.parse(word).map(Parcel::content).orElse(new byte[0]))) {
                bad(name + " read " + got.length + " bytes that are not those of " + word);
            }
        } catch (FileNotFoundException e) {
            answered();
        } catch (IOException e) {
            if (!(e.getCause() instanceof FileNotFoundException)) {
                bad(name + " could not read " + word + ": " + e);
            }
        }
    }
}
