package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Event;
import io.entrepot.store.Owner;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The outbox: every committed event once, in commit order, without gaps. */
abstract class EventsContract extends StoreContract {

    EventsContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    private void publish(String... subjects) {
        store.write(ACME, tx -> {
            for (String subject : subjects) {
                tx.publish(ACME, "type", subject, "body of " + subject);
            }
            return 0;
        });
    }

    /** Everything from the beginning, as a reader gets it that asks for a few at a time. */
    private List<Event> all(int atATime) {
        List<Event> all = new ArrayList<>();
        for (List<Event> some = store.events().after(0, atATime); !some.isEmpty();) {
            assertThat(some).hasSizeLessThanOrEqualTo(atATime);
            all.addAll(some);
            some = store.events().after(all.getLast().seq(), atATime);
        }
        return all;
    }

    private static List<Long> numbers(List<Event> events) {
        return events.stream().map(Event::seq).toList();
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void event_whenPublished_comesBackAsItWas() {
        String odd = "ö 港\u0000 \"quoted\" \uD83D\uDEA2";
        long now = store.write(ACME, tx -> {
            tx.publish(OTHER, "made", odd, "");
            tx.publish(ACME, "made", "", odd.repeat(50_000));
            return tx.now();
        });
        assertThat(store.events().after(0, 10)).containsExactly(
                new Event(1, Instant.ofEpochMilli(now), OTHER, "made", odd, ""),
                new Event(2, Instant.ofEpochMilli(now), ACME, "made", "", odd.repeat(50_000)));
        assertThat(store.events().last()).isEqualTo(2);
        assertThat(store.events().oldest()).isEqualTo(1);
    }

    @Test
    void events_whenManyWriteAndSomeFailAndTheStoreRestarts_areGaplessOrderedAndThereOnce() {
        Collection<String> acknowledged = new ConcurrentLinkedQueue<>();
        for (int life = 0; life < 4; life++) {
            int current = life;
            Crowd.start(16, caller -> {
                Owner owner = new Owner("owner-" + caller % 4);
                for (int i = 0; i < 25; i++) {
                    String name = caller + "/" + (current * 100 + i);
                    int copies = i % 4;
                    boolean fails = i % 5 == 1;
                    try {
                        store.write(owner, tx -> {
                            for (int copy = 0; copy < copies; copy++) {
                                tx.publish(owner, "t", name + "/" + copy, fails ? "never" : "");
                            }
                            if (fails) {
                                throw new IllegalStateException("no");
                            }
                            return 0;
                        });
                        for (int copy = 0; copy < copies; copy++) {
                            acknowledged.add(name + "/" + copy);
                        }
                    } catch (IllegalStateException e) {
                        assertThat(fails).isTrue();
                    }
                }
                return 0;
            }).results();
            if (life % 2 == 0) {
                reopen();
            } else {
                crash();
            }
        }
        List<Event> events = all(7);
        assertThat(numbers(events)).isEqualTo(range(1, acknowledged.size()));
        assertThat(store.events().last()).isEqualTo(acknowledged.size());
        assertThat(events.stream().map(Event::subject).sorted().toList())
                .isEqualTo(acknowledged.stream().sorted().toList());
        assertThat(events).extracting(Event::body).doesNotContain("never");
        Map<String, List<Event>> byCaller = events.stream()
                .collect(Collectors.groupingBy(event -> Path.of(event.subject()).getName(0).toString()));
        assertThat(byCaller.values()).allSatisfy(mine -> assertThat(mine)
                .isSortedAccordingTo((a, b) -> Integer.compare(order(a), order(b))));
    }

    private static int order(Event event) {
        Path parts = Path.of(event.subject());
        return Integer.parseInt(parts.getName(1).toString()) * 10 + Integer.parseInt(parts.getName(2).toString());
    }

    @Test
    void after_whenCursorIsInTheMiddleOfAGroup_goesOnBehindIt() {
        publish("before");
        Crowd<Integer> crowd;
        try (Gate gate = Gate.shut(store)) {
            crowd = Crowd.start(10, caller -> {
                publish(caller + "a", caller + "b");
                return 0;
            });
            crowd.awaitWaiting();
            gate.open();
        }
        crowd.results();
        publish("after");
        for (int cursor = 0; cursor <= 22; cursor++) {
            for (int max : new int[]{1, 3, 50}) {
                assertThat(numbers(store.events().after(cursor, max)))
                        .isEqualTo(range(cursor + 1, Math.min(22, cursor + max)));
            }
        }
        assertThat(store.events().after(23, 1)).isEmpty();
        assertThat(numbers(all(1))).isEqualTo(range(1, 22));
    }

    @Test
    void after_whenOneUnitPublishesVeryMuch_stillGivesWhatIsAskedFor() {
        store.write(ACME, tx -> {
            for (int i = 0; i < 3000; i++) {
                tx.publish(ACME, "t", "" + i, "x".repeat(1000));
            }
            return 0;
        });
        List<Event> events = all(1000);
        assertThat(numbers(events)).isEqualTo(range(1, 3000));
        assertThat(events.get(2999).subject()).isEqualTo("2999");
        assertThat(numbers(store.events().after(1499, 2))).containsExactly(1500L, 1501L);
    }

    @Test
    void after_whenArgumentsMakeNoSense_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.events().after(-1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> store.events().after(0, 0));
    }

    @Test
    void publish_whenSomethingIsMissingOrTooLarge_failsOnlyItsUnit() {
        Crowd<Integer> crowd;
        try (Gate gate = Gate.shut(store)) {
            crowd = Crowd.start(4, caller -> {
                switch (caller) {
                    case 0 -> publish((String) null);
                    case 1 -> store.write(ACME, tx -> {
                        tx.publish(null, "t", "s", "b");
                        return 0;
                    });
                    case 2 -> store.write(ACME, tx -> {
                        tx.publish(ACME, "t", "s", "b".repeat(5 << 20));
                        return 0;
                    });
                    default -> publish("good");
                }
                return 0;
            });
            crowd.awaitWaiting();
            gate.open();
        }
        assertThat(crowd.outcomes()).extracting(Crowd.Outcome::succeeded).containsExactly(false, false, false, true);
        assertThat(all(10)).extracting(Event::subject).containsExactly("good");
    }

    @Test
    void await_whenSomethingArrives_returnsIt() {
        publish("old");
        Crowd<List<Event>> waiting = Crowd.start(5, _ -> awaitAfter(1, Duration.ofDays(1)));
        waiting.awaitWaiting();
        publish("new");
        for (List<Event> events : waiting.results()) {
            assertThat(events).extracting(Event::subject).containsExactly("new");
        }
    }

    @Test
    void await_whenSomethingIsThereAlready_returnsItWithoutWaiting() {
        publish("one");
        assertThat(awaitAfter(0, Duration.ZERO)).hasSize(1);
        assertThat(awaitAfter(0, Duration.ofDays(400_000_000))).hasSize(1);
    }

    @Test
    void await_whenNothingArrives_returnsNothing() {
        assertThat(awaitAfter(0, Duration.ZERO)).isEmpty();
        assertThat(awaitAfter(0, Duration.ofMillis(1))).isEmpty();
        assertThat(awaitAfter(0, Duration.ofSeconds(-1))).isEmpty();
    }

    @Test
    void await_whenInterrupted_ends() {
        AtomicBoolean interrupted = new AtomicBoolean();
        Crowd<Integer> crowd = new Crowd<>();
        Thread thread = crowd.start(() -> {
            try {
                store.events().await(0, 1, Duration.ofDays(1));
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
            return 0;
        });
        crowd.awaitWaiting();
        thread.interrupt();
        crowd.results();
        assertThat(interrupted).isTrue();
    }

    private List<Event> awaitAfter(long cursor, Duration wait) {
        try {
            return store.events().await(cursor, 100, wait);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void forgetBefore_whenEverythingIsForgottenAndTheStoreRestarts_numbersGoOn() {
        reopen(clocks.in(config()));
        publish("1", "2");
        clocks.pass(Duration.ofDays(1));
        publish("3");
        assertThat(store.events().forgetBefore(clocks.instant())).isEqualTo(2);
        assertThat(store.events().oldest()).isEqualTo(3);
        assertThat(numbers(store.events().after(0, 10))).containsExactly(3L);
        clocks.pass(Duration.ofDays(1));
        assertThat(store.events().forgetBefore(clocks.instant())).isEqualTo(1);
        assertThat(store.events().forgetBefore(clocks.instant())).isZero();
        for (int life = 0; life < 3; life++) {
            assertThat(store.events().last()).isEqualTo(3);
            assertThat(store.events().oldest()).isEqualTo(4);
            assertThat(store.events().after(0, 10)).isEmpty();
            if (life == 0) {
                reopen(clocks.in(config()));
            } else {
                crash(clocks.in(config()));
            }
        }
        publish("4");
        assertThat(numbers(store.events().after(0, 10))).containsExactly(4L);
        assertThat(numbers(store.events().after(3, 10))).containsExactly(4L);
    }

    @Test
    void forgetBefore_whenOthersPublish_forgetsOnlyWhatIsOld() {
        reopen(clocks.in(config()));
        for (int i = 0; i < 2500; i += 100) {
            Crowd.start(100, caller -> {
                publish("" + caller);
                return 0;
            }).results();
        }
        clocks.pass(Duration.ofMinutes(1));
        Instant then = clocks.instant();
        Crowd<Integer> others = Crowd.start(8, _ -> {
            for (int i = 0; i < 20; i++) {
                publish("new");
            }
            return 0;
        });
        assertThat(store.events().forgetBefore(then)).isEqualTo(2500);
        others.results();
        assertThat(numbers(all(100))).isEqualTo(range(2501, 2660));
    }

    @Test
    void events_whenClosed_areRefused() {
        publish("one");
        store.close();
        assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> store.events().after(5, 1));
    }
}
