package io.entrepot.chaos.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import io.entrepot.scan.Fact;
import io.entrepot.scan.Mirror;
import io.entrepot.scan.Watcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The picture differs from the tree if a watcher misses something; so if it does not differ, nothing was missed. */
class SeededBugsTest {
    private final FileCalls calls = FileCalls.system();

    @TempDir
    Path directory;

    @Test
    void storm_whenNothingIsMissed_leavesNoDifference() throws Exception {
        assertThat(differsAfterStorms(_ -> true)).isFalse();
    }

    @Test
    void storm_whenDeletionsAreMissed_isFound() throws Exception {
        assertThat(differsAfterStorms(fact -> !(fact instanceof Fact.Absent))).isTrue();
    }

    @Test
    void storm_whenWhatIsMovedHereIsMissed_isFound() throws Exception {
        assertThat(differsAfterStorms(
                fact -> !(fact instanceof Fact.Present present && present.cause() == Fact.Cause.MOVED_HERE))).isTrue();
    }

    @Test
    void storm_whenNewDirectoriesAreNotListed_isFound() throws Exception {
        BytePath root = BytePath.of(directory.resolve("inside"));
        assertThat(differsAfterStorms(fact -> !(fact instanceof Fact.Listed) || fact.path().equals(root))).isTrue();
    }

    private boolean differsAfterStorms(Predicate<Fact> passed) throws Exception {
        BytePath inside = BytePath.of(Files.createDirectory(directory.resolve("inside")));
        BytePath outside = BytePath.of(Files.createDirectory(directory.resolve("outside")));
        try (Mirror mirror = new Mirror(calls, BootClock.system(), inside);
                Watcher watcher = Watcher.open(calls, BootClock.system(), inside, Watcher.Settings.ofWholeTree(),
                        fact -> {
                            if (passed.test(fact)) {
                                mirror.accept(fact);
                            }
                        });
                Storm storm = new Storm(inside, outside, calls, new Random(7), false)) {
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 200; i++) {
                    storm.blow();
                }
                watcher.flush();
                mirror.settle();
                if (!mirror.differences(1).isEmpty()) {
                    return true;
                }
            }
            return false;
        }
    }
}
