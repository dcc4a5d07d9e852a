package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.posix.BytePath;
import io.entrepot.scan.Fact.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PollingTest {
    private static final Polling.Settings SELDOM = new Polling.Settings(Duration.ofDays(1), 1000);

    @TempDir
    Path directory;

    private Path root = Path.of("");
    private BytePath path = BytePath.ROOT;
    private final Queue<Fact> facts = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void makeRoot() throws Exception {
        root = Files.createDirectory(directory.resolve("root")).toRealPath();
        path = BytePath.of(root);
    }

    @Test
    void poll_tellsWhatHasChanged() throws Exception {
        Files.createDirectory(root.resolve("a"));
        Files.writeString(root.resolve("a/file"), "1");
        try (Polling polling = open(SELDOM)) {
            polling.poll();
            assertThat(facts).hasSize(2).allMatch(fact -> fact instanceof Fact.Listed);
            facts.clear();
            polling.poll();
            assertThat(facts).isEmpty();
            Files.writeString(root.resolve("a/file"), "22");
            Files.writeString(root.resolve("new"), "1");
            polling.poll();
            assertThat(facts).extracting(Fact::path).containsExactlyInAnyOrder(at("a/file"), at("new"));
            facts.clear();
            Files.delete(root.resolve("new"));
            polling.poll();
            assertThat(facts).singleElement().isInstanceOf(Fact.Absent.class);
            assertThat(polling.directories()).isEqualTo(2);
        }
    }

    @Test
    void interval_passes_andThereIsARound() throws Exception {
        try (Polling polling = open(new Polling.Settings(Duration.ofMillis(5), 10))) {
            polling.poll();
            Files.writeString(root.resolve("new"), "1");
            await().until(() -> facts.stream().anyMatch(fact -> fact instanceof Fact.Present));
        }
    }

    @Test
    void picture_afterAnythingBetweenRounds_isTheTree() throws Exception {
        BytePath outside = BytePath.of(Files.createDirectory(directory.resolve("outside")).toRealPath());
        try (Mirror mirror = new Mirror(WatchedTree.CALLS, WatchedTree.CLOCK, path);
                Polling polling = Polling.open(WatchedTree.CALLS, WatchedTree.CLOCK, path, SELDOM, mirror);
                Vandal vandal = new Vandal(WatchedTree.CALLS, path, outside,
                        new ReentrantReadWriteLock(), 7)) {
            for (int round = 0; round < 50; round++) {
                vandal.act(200);
                polling.poll();
                mirror.settle();
                assertThat(mirror.differences(10)).as("after round %s", round).isEmpty();
            }
        }
    }

    @Test
    void limit_whenThereAreMoreDirectories_saysSoOnce() throws Exception {
        for (int i = 0; i < 20; i++) {
            Files.createDirectory(root.resolve("d" + i));
        }
        try (Polling polling = open(new Polling.Settings(Duration.ofDays(1), 5))) {
            polling.poll();
            polling.poll();
            assertThat(facts.stream().filter(fact -> fact instanceof Fact.Rescan(BytePath _, Reason reason)
                    && reason == Reason.UNWATCHED)).hasSize(16);
            assertThat(polling.directories()).isEqualTo(5);
        }
    }

    @Test
    void root_whenDeletedAndMadeAgain_isAbsentAndThenListed() throws Exception {
        try (Polling polling = open(SELDOM)) {
            polling.poll();
            facts.clear();
            Files.delete(root);
            polling.poll();
            polling.poll();
            assertThat(facts).singleElement().isInstanceOf(Fact.Absent.class);
            facts.clear();
            Files.createDirectory(root);
            polling.poll();
            assertThat(facts).singleElement().isInstanceOf(Fact.Listed.class);
        }
    }

    @Test
    void root_whenUnmounted_isToldOnceAndIsNotAnEmptyTree() throws Exception {
        assumeThat(Mounting.mount(root)).isTrue();
        try (Polling polling = open(SELDOM)) {
            Files.createDirectory(root.resolve("a"));
            polling.poll();
            facts.clear();
            assertThat(Mounting.unmount(root)).isTrue();
            polling.poll();
            polling.poll();
            assertThat(facts).containsExactly(new Fact.Rescan(path, Reason.WATCH_LOST));
            assertThat(polling.directories()).isEqualTo(2);
            facts.clear();
            assertThat(Mounting.mount(root)).isTrue();
            Files.createDirectory(root.resolve("b"));
            polling.poll();
            assertThat(facts).extracting(Fact::path).contains(at("a"), at("b"));
            facts.clear();
            assertThat(Mounting.unmount(root)).isTrue();
            polling.poll();
            assertThat(facts).containsExactly(new Fact.Rescan(path, Reason.WATCH_LOST));
        } finally {
            Mounting.unmount(root);
        }
    }

    @Test
    void root_whenItIsBelowWhatWasUnmounted_isNotAbsent() throws Exception {
        assumeThat(Mounting.mount(root)).isTrue();
        Path below = Files.createDirectory(root.resolve("below"));
        BytePath polled = BytePath.of(below);
        try (Polling polling = Polling.open(WatchedTree.CALLS, WatchedTree.CLOCK, polled, SELDOM, facts::add)) {
            polling.poll();
            facts.clear();
            assertThat(Mounting.unmount(root)).isTrue();
            polling.poll();
            assertThat(facts).containsExactly(new Fact.Rescan(polled, Reason.WATCH_LOST));
            facts.clear();
            assertThat(Mounting.mount(root)).isTrue();
            polling.poll();
            polling.poll();
            assertThat(facts).singleElement().isInstanceOf(Fact.Absent.class);
        } finally {
            Mounting.unmount(root);
        }
    }

    @Test
    void consumer_whenItThrows_endsIt() throws Exception {
        try (Polling polling = Polling.open(WatchedTree.CALLS, WatchedTree.CLOCK, path, SELDOM, _ -> {
            throw new IllegalStateException("no more");
        })) {
            await().until(() -> polling.failure().isPresent());
            polling.poll();
        }
    }

    private Polling open(Polling.Settings settings) throws Exception {
        return Polling.open(WatchedTree.CALLS, WatchedTree.CLOCK, path, settings, facts::add);
    }

    private BytePath at(String relative) {
        return path.resolve(BytePath.of(relative));
    }

}
