package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.posix.BytePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatcherRandomTest {
    private static final int ROUNDS = Integer.getInteger("entrepot.watch.rounds", 60);
    private static final long SEED = Long.getLong("entrepot.watch.seed", 20261116L);

    private static final int MOST = 20;

    @TempDir
    Path directory;

    @Test
    void picture_afterAnythingAtFullSpeed_isTheTree() throws Exception {
        rounds(directory, Watcher.Settings.ofWholeTree(), ROUNDS);
    }

    /** Where inode numbers are not used again at once, and everything is quicker. */
    @Test
    void picture_afterAnythingInMemory_isTheTree() throws Exception {
        Path memory = Path.of("/dev/shm");
        Path place = Files.createTempDirectory(Files.isWritable(memory) ? memory : directory, "watch");
        try {
            rounds(place, Watcher.Settings.ofWholeTree(), ROUNDS);
        } finally {
            delete(place);
        }
    }

    @Test
    void picture_whenEventsAreDroppedAllTheTime_isTheTree() throws Exception {
        assertThat(rounds(directory, Watcher.Settings.ofWholeTree().withBuffer(1), ROUNDS / 5)).isPositive();
    }

    private static long rounds(Path place, Watcher.Settings settings, int rounds) throws Exception {
        Path root = Files.createDirectory(place.resolve("root"));
        BytePath outside = BytePath.of(Files.createDirectory(place.resolve("outside")).toRealPath());
        ReadWriteLock linking = new ReentrantReadWriteLock();
        try (WatchedTree tree = new WatchedTree(root, settings)) {
            // On a busy machine what was made while nothing was taken may be read only when it is taken again, and nothing is dropped.
            boolean drops = settings.bufferBytes() == 1;
            for (int round = 0; round < rounds || (drops && round < MOST * rounds
                    && tree.watcher.status().overflows() == 0); round++) {
                CountDownLatch shut = round % 2 == 0 && drops
                        ? tree.shut()
                        : new CountDownLatch(1);
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    long seed = SEED + 31L * round + i;
                    threads.add(Thread.ofPlatform().start(() -> {
                        try (Vandal vandal = new Vandal(WatchedTree.CALLS, tree.root, outside, linking, seed)) {
                            vandal.act(150);
                        }
                    }));
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                shut.countDown();
                tree.watcher.flush();
                tree.mirror.settle();
                assertThat(tree.mirror.differences(10)).as("after round %s of seed %s", round, SEED).isEmpty();
                tree.forget();
            }
            try (Stream<Path> walk = Files.walk(root)) {
                assertThat(tree.watcher.watched()).hasSize((int) walk.filter(Files::isDirectory).count());
            }
            return tree.watcher.status().overflows();
        }
    }

    static void delete(Path place) throws IOException {
        new ProcessBuilder("rm", "-rf", place.toString()).start().onExit().join();
        assertThat(Files.exists(place)).isFalse();
    }

}
