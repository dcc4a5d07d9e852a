package io.entrepot.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.ChildJvm;
import io.entrepot.lab.ChildSpec;
import io.entrepot.lab.Parent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HistoryTest {

    static Stream<Event> events() {
        Grant grant = new Grant("item-1", 7, "3f9a");
        List<Call> calls = List.of(new Call.Put("a", Optional.empty()), new Call.Put("a", Optional.of("key")),
                new Call.Claim(), new Call.Remove("a"), new Call.Step(Call.Step.Kind.RENEW, grant),
                new Call.Step(Call.Step.Kind.FINISH, grant));
        List<Answer> answers = List.of(new Answer.Stored("owner/7"), new Answer.Granted(List.of()),
                new Answer.Granted(List.of(grant, new Grant("b", 1, "n"))), new Answer.Ended(Ending.KEPT, true),
                new Answer.Ended(Ending.RETRYING, false), new Answer.Renewed(), new Answer.Removed(),
                new Answer.Refused("lease lost:\n gone"),
                new Answer.Unknown(""));
        return Stream.concat(calls.stream().map(call -> (Event) new Event.Began(1, -5, "w", call)),
                answers.stream().map(answer -> (Event) new Event.Ended(1, Long.MAX_VALUE - 1, answer)));
    }

    @ParameterizedTest
    @MethodSource("events")
    void parse_isTheInverseOfLine(Event event) {
        assertThat(event.line()).doesNotContain("\n");
        assertThat(Event.parse(event.line())).contains(event);
    }

    @Test
    void parse_leavesOtherLinesAlone() {
        assertThat(Event.parse("")).isEmpty();
        assertThat(Event.parse("ready")).isEmpty();
        assertThat(new History().addLine("p", "hello world")).isFalse();
    }

    @Test
    void words_mustBeSingle() {
        assertThatThrownBy(() -> new Grant("a b", 1, "n")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Answer.Stored("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void operations_areUnknown_untilTheyEnd() {
        History history = new History();
        long[] time = {10};
        Recorder recorder = new Recorder(event -> history.add("p", event), () -> time[0]++);
        long put = recorder.began("w", new Call.Put("a", Optional.empty()));
        recorder.began("w", new Call.Claim());
        recorder.ended(put, new Answer.Stored("1"));
        assertThat(history.operations()).containsExactly(
                new Operation("p", 1, "w", new Call.Put("a", Optional.empty()), 10, 12, new Answer.Stored("1")),
                new Operation("p", 2, "w", new Call.Claim(), 11, Operation.NEVER, new Answer.Unknown("no answer")));
    }

    @Test
    void add_refusesAnEventTwice() {
        History history = new History();
        history.add("p", new Event.Ended(1, 5, new Answer.Renewed()));
        history.add("q", new Event.Ended(1, 5, new Answer.Renewed()));
        assertThatThrownBy(() -> history.add("p", new Event.Ended(1, 6, new Answer.Renewed())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void recorder_isUsedByManyThreads() throws Exception {
        History history = new History();
        Recorder recorder = history.recorder("here");
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Boolean>> workers = new ArrayList<>();
            for (int worker = 0; worker < 64; worker++) {
                String name = "w" + worker;
                workers.add(() -> {
                    for (int i = 0; i < 100; i++) {
                        recorder.ended(recorder.began(name, new Call.Claim()), new Answer.Granted(List.of()));
                    }
                    return true;
                });
            }
            executor.invokeAll(workers);
        }
        assertThat(history.operations()).hasSize(6_400)
                .allSatisfy(operation -> assertThat(operation.end()).isGreaterThanOrEqualTo(operation.start()));
    }

    /** Puts for ever, as fast as it can. */
    static final class Putter {
        public static void main(String[] arguments) throws Exception {
            Parent parent = Parent.connect();
            Recorder recorder = new Recorder(event -> parent.say(event.line()));
            parent.ready();
            parent.next();
            for (int i = 0;; i++) {
                recorder.ended(recorder.began("w", new Call.Put("item-" + i, Optional.empty())),
                        new Answer.Stored("" + i));
            }
        }
    }

    @Test
    void history_survivesTheDeathOfTheProcessThatMadeIt() throws Exception {
        History history = new History();
        CountDownLatch some = new CountDownLatch(1_000);
        long before = System.nanoTime();
        try (ChildJvm child = ChildJvm.start(ChildSpec.of(Putter.class))) {
            child.listen(line -> {
                assertThat(history.addLine("child", line)).isTrue();
                some.countDown();
            });
            child.awaitReady(Duration.ofMinutes(1));
            child.send("go");
            assertThat(some.await(30, TimeUnit.SECONDS)).isTrue();
            child.kill9();
        }
        List<Operation> operations = history.operations();
        assertThat(operations).hasSizeGreaterThan(400);
        assertThat(operations.subList(0, operations.size() - 1))
                .allSatisfy(operation -> assertThat(operation.answer()).isInstanceOf(Answer.Stored.class));
        assertThat(operations).as("one clock for all processes").allSatisfy(
                operation -> assertThat(operation.start()).isBetween(before, System.nanoTime()));
    }
}
