package io.entrepot.chaos.queue;

import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.Call.Step.Kind;
import io.entrepot.chaos.history.Ending;
import io.entrepot.chaos.history.Grant;
import io.entrepot.chaos.history.Recorder;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.QueueException;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.OutcomeUnknownException;
import io.entrepot.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One worker's life: puts items, claims some, and does with them all that workers do, good and bad: renew, finish, keep,
 * fail, give back, say it twice, come back too late, never come back. Everything it does is recorded. Use by one thread.
 *
 * @param name tells this worker's items from all others, over all processes
 */
record Workload(String name, Queues queues, Recorder recorder, Random random, List<QueueName> lanes, Duration term,
        Runnable dawdle) {

    /** So long that nothing runs out while it waits for a worker who is expected. */
    private static final Duration STEADY_TERM = Duration.ofSeconds(1);
    private static final RetryPolicy RETRY = new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(20), 6, true);

    /** Puts one item; some with a key, and some of those twice. */
    void put(int number) {
        String item = name + "-" + number;
        boolean keyed = random.nextInt(3) == 0;
        Optional<String> key = keyed ? Optional.of("key-" + item) : Optional.empty();
        NewItem plain = NewItem.of(lanes.get(random.nextInt(lanes.size())), item.getBytes(StandardCharsets.UTF_8))
                .withPriority(random.nextInt(3));
        NewItem wanted = keyed ? plain.withKey("key-" + item) : plain;
        for (int times = keyed && random.nextBoolean() ? 2 : 1; times > 0; times--) {
            record(new Call.Put(item, key), () -> new Answer.Stored(queues.put(wanted).item().toString()));
        }
    }

    /** Claims a few and works on them. Says whether there were any. */
    boolean work() {
        return claim(new ClaimRequest(lanes, name, 1 + random.nextInt(3), term, Duration.ZERO), this::workOn);
    }

    /**
     * Claims one and finishes it at once, as others under the same name do: after a while what they are to have next is claimed
     * before they ask. Says whether there was one.
     */
    boolean workSteadily() {
        return claim(ClaimRequest.of(lanes.getFirst(), "crew", STEADY_TERM),
                claimed -> step(Kind.FINISH, claimed, () -> answer(end(Kind.FINISH, claimed, false))));
    }

    private boolean claim(ClaimRequest request, Consumer<Claimed> then) {
        long number = recorder.began(name, new Call.Claim());
        List<Claimed> claimed;
        try {
            claimed = queues.claim(request);
        } catch (StoreException e) {
            recorder.ended(number, failed(e));
            throw e;
        } catch (InterruptedException e) {
            recorder.ended(number, new Answer.Unknown("interrupted"));
            Thread.currentThread().interrupt();
            return false;
        }
        recorder.ended(number, new Answer.Granted(claimed.stream().map(Workload::grant).toList()));
        claimed.forEach(then);
        return !claimed.isEmpty();
    }

    private void workOn(Claimed claimed) {
        int mood = random.nextInt(100);
        if (mood < 4) {
            return; // never comes back
        }
        if (mood < 10) {
            dawdle.run(); // comes back too late, or nearly
        }
        if (mood < 30) {
            step(Kind.RENEW, claimed, () -> {
                queues.renew(claimed.lease());
                return new Answer.Renewed();
            });
        }
        Kind kind = mood < 70 ? Kind.FINISH : mood < 90 ? Kind.FAIL : Kind.RELEASE;
        boolean keep = mood < 12;
        for (int times = random.nextInt(12) == 0 ? 2 : 1; times > 0; times--) {
            step(kind, claimed, () -> answer(end(kind, claimed, keep)));
        }
        if (random.nextInt(30) == 0) {
            step(Kind.FAIL, claimed, () -> answer(end(Kind.FAIL, claimed, false))); // contradicts itself
        }
    }

    private Outcome end(Kind kind, Claimed claimed, boolean keep) {
        return queues.end(claimed.lease(), switch (kind) {
            case FINISH -> new io.entrepot.queue.Ending.Finish(keep);
            case FAIL -> new io.entrepot.queue.Ending.Fail("chaos", true, RETRY);
            case RELEASE, RENEW -> new io.entrepot.queue.Ending.Release();
        });
    }

    private void step(Kind kind, Claimed claimed, Supplier<Answer> call) {
        record(new Call.Step(kind, grant(claimed)), call);
    }

    private void record(Call call, Supplier<Answer> made) {
        long number = recorder.began(name, call);
        try {
            recorder.ended(number, made.get());
        } catch (LeaseLostException e) {
            recorder.ended(number, new Answer.Refused(e.code()));
        } catch (QueueException e) {
            recorder.ended(number, new Answer.Refused(e.code()));
        } catch (StoreException e) {
            recorder.ended(number, failed(e));
            throw e;
        }
    }

    private static Answer failed(StoreException e) {
        return e instanceof OutcomeUnknownException ? new Answer.Unknown(e.code()) : new Answer.Refused(e.code());
    }

    private static Answer answer(Outcome outcome) {
        return new Answer.Ended(Ending.valueOf(outcome.kind().name()), outcome.repeated());
    }

    private static Grant grant(Claimed claimed) {
        return new Grant(new String(claimed.payload(), StandardCharsets.UTF_8), claimed.lease().fence().epoch().value(),
                Long.toHexString(claimed.lease().fence().nonce()));
    }
}
