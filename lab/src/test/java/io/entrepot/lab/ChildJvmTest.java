package io.entrepot.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChildJvmTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Says back what it hears, counts, or ends. */
    static final class Echo {
        public static void main(String[] arguments) throws Exception {
            Parent parent = Parent.connect();
            parent.ready();
            while (true) {
                String command = parent.next();
                switch (command) {
                    case "count" -> {
                        for (long i = 0;; i++) {
                            parent.say("" + i);
                        }
                    }
                    case "count to 1000" -> {
                        for (long i = 1; i <= 1000; i++) {
                            parent.say("" + i);
                        }
                        System.err.println("counted");
                    }
                    case "exit" -> System.exit(7);
                    case "fail" -> throw new IllegalStateException("as told");
                    default -> parent.say(command);
                }
            }
        }
    }

    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();

    private ChildJvm echo() throws Exception {
        ChildJvm child = ChildJvm.start(ChildSpec.of(Echo.class));
        child.listen(heard::add);
        child.awaitReady(PATIENCE);
        return child;
    }

    private String hear() throws InterruptedException {
        String line = heard.poll(30, TimeUnit.SECONDS);
        assertThat(line).isNotNull();
        return line;
    }

    @Test
    void child_answersInLines() throws Exception {
        try (ChildJvm child = echo()) {
            child.send("grüezi");
            assertThat(hear()).isEqualTo("grüezi");
            child.send("exit");
            assertThat(child.awaitEnd(PATIENCE)).isEqualTo(7);
        }
    }

    @Test
    void kill9_handsOverEveryWholeLine() throws Exception {
        try (ChildJvm child = echo()) {
            child.send("count");
            hear();
            child.kill9();
            assertThat(child.alive()).isFalse();
            List<String> rest = new ArrayList<>();
            heard.drainTo(rest);
            for (int i = 0; i < rest.size(); i++) {
                assertThat(rest.get(i)).isEqualTo("" + (i + 1));
            }
        }
    }

    @Test
    void kill9_handsOverWhatIsStillInThePipe_whenTheListenerIsSlow() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ChildJvm child = ChildJvm.start(ChildSpec.of(Echo.class))) {
            countToOneThousand(child, go);
            Thread killer = Thread.ofPlatform().start(() -> {
                try {
                    child.kill9();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            while (child.alive()) {
                Thread.onSpinWait();
            }
            go.countDown();
            killer.join();
            assertThat(heard).hasSize(1000);
        }
    }

    /** It has counted, and nothing is heard of it before the latch opens. */
    private void countToOneThousand(ChildJvm child, CountDownLatch go) throws Exception {
        child.awaitReady(PATIENCE);
        child.listen(line -> {
            awaitQuietly(go);
            heard.add(line);
        });
        child.send("count to 1000");
        while (!child.lastWords().contains("counted")) {
            Thread.onSpinWait();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void stop_letsEveryThreadStandStill_untilContinued() throws Exception {
        try (ChildJvm child = echo()) {
            child.send("count");
            hear();
            child.stop();
            assertThat(new ThreadStates(Path.of("/proc/" + child.pid() + "/task")).read()).matches("T+");
            child.cont();
            heard.clear();
            hear();
        }
    }

    @Test
    void hearOut_handsOverWhatWasSaidBeforeTheStop_whenTheListenerIsSlow() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ChildJvm child = ChildJvm.start(ChildSpec.of(Echo.class))) {
            countToOneThousand(child, go);
            child.stop();
            Thread.ofPlatform().start(go::countDown);
            child.hearOut();
            assertThat(heard).hasSize(1000);
            child.cont();
            heard.clear();
            child.send("still here");
            assertThat(hear()).isEqualTo("still here");
        }
    }

    @Test
    void awaitReady_tellsTheLastWords_whenTheChildFailed() throws Exception {
        try (ChildJvm child = ChildJvm.start(ChildSpec.of(Object.class))) {
            assertThatThrownBy(() -> child.awaitReady(PATIENCE)).isInstanceOf(IOException.class)
                    .hasMessageContaining("java.lang.Object");
        }
    }

    @Test
    void awaitEnd_keepsTheErrorStream() throws Exception {
        try (ChildJvm child = echo()) {
            child.send("fail");
            assertThat(child.awaitEnd(PATIENCE)).isNotZero();
            assertThat(child.lastWords()).contains("as told");
        }
    }

    /** Starts a grandchild and waits. */
    static final class Grandparent {
        public static void main(String[] arguments) throws Exception {
            Parent parent = Parent.connect();
            ChildJvm child = ChildJvm.start(ChildSpec.of(Echo.class));
            child.awaitReady(PATIENCE);
            parent.ready();
            parent.say("" + child.pid());
            parent.next();
        }
    }

    @Test
    void child_doesNotOutliveItsParent_whenThatIsKilled() throws Exception {
        try (ChildJvm child = ChildJvm.start(ChildSpec.of(Grandparent.class))) {
            child.listen(heard::add);
            child.awaitReady(PATIENCE);
            long grandchild = Long.parseLong(hear());
            child.kill9();
            ProcessHandle.of(grandchild).ifPresent(handle -> handle.onExit().orTimeout(30, TimeUnit.SECONDS).join());
            assertThat(ProcessHandle.of(grandchild).map(ProcessHandle::isAlive).orElse(false)).isFalse();
        }
    }

    @Test
    void nursery_hasTheNextChildReady() throws Exception {
        try (Nursery nursery = Nursery.open(ChildSpec.of(Echo.class), 2)) {
            for (int round = 0; round < 5; round++) {
                try (ChildJvm child = nursery.take()) {
                    child.listen(heard::add);
                    child.send("round " + round);
                    assertThat(hear()).isEqualTo("round " + round);
                    child.kill9();
                }
            }
        }
    }

    @Test
    void wholeLines_dropWhatHasNoEnd() {
        List<String> lines = new ArrayList<>();
        new WholeLines(new ByteArrayInputStream("one\n\ntwo\nthr".getBytes(StandardCharsets.UTF_8)))
                .forEach(lines::add);
        assertThat(lines).containsExactly("one", "", "two");
    }

    @Test
    void aotCache_isUsedByChildren_andMadeOnce() throws Exception {
        ChildSpec spec = ChildSpec.of(Echo.class);
        assertThat(spec.classPath()).as("directories of classes, too").contains("/test-classes");
        ChildSpec quick = AotCache.train(spec, List.of("hello", "exit"));
        assertThat(quick.aotCache()).isPresent();
        // With this flag the JVM refuses to start if the cache cannot be used.
        try (ChildJvm child = ChildJvm.start(quick.withFlags("-XX:AOTMode=on"))) {
            child.awaitReady(PATIENCE);
        }
        assertThat(AotCache.train(spec, List.of())).isEqualTo(quick);
    }
}
