package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.EpochNanos;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HotWatchesTest {
    private static final InstantSource WALL = Clock.systemUTC();

    @TempDir
    Path directory;

    private final Queue<Fact> facts = new ConcurrentLinkedQueue<>();

    @Test
    void adapt_whenThereAreAThousandDirectories_watchesTenAndMovesThem() throws Exception {
        for (int i = 0; i < 1000; i++) {
            Files.createDirectory(directory.resolve("d" + i));
        }
        BytePath root = BytePath.of(directory.toRealPath());
        HotWatchSet.Settings restless = new HotWatchSet.Settings(Duration.ZERO, Duration.ZERO);
        try (HotWatches hot = HotWatches.open(WatchedTree.CALLS, WatchedTree.CLOCK, WALL, root,
                Watcher.Settings.ofNamed().withLimit(10), restless, facts::add)) {
            WatchReport report = hot.adapt(scan(root, "d7"));
            assertThat(report.watched()).isEqualTo(10);
            assertThat(report.notWatched()).isEqualTo(991);
            assertThat(hot.watcher().watched()).hasSize(10).contains(root, at(root, "d7"));
            facts.clear();
            Files.writeString(directory.resolve("d7/file"), "1");
            hot.watcher().flush();
            assertThat(facts).extracting(Fact::path).contains(at(root, "d7/file"));

            hot.adapt(scan(root, "d500"));
            assertThat(hot.watcher().watched()).hasSize(10).contains(at(root, "d500"));
            assertThat(facts).anyMatch(fact -> fact instanceof Fact.Listed && fact.path().equals(at(root, "d500")))
                    .anyMatch(fact -> fact instanceof Fact.Rescan(BytePath _, Fact.Reason reason)
                            && reason == Fact.Reason.UNWATCHED);
        }
    }

    @Test
    void drift_isEstimatedFromWhatIsWritten() throws Exception {
        BytePath root = BytePath.of(directory.toRealPath());
        InstantSource late = () -> WALL.instant().minus(Duration.ofHours(2));
        try (HotWatches hot = HotWatches.open(WatchedTree.CALLS, WatchedTree.CLOCK, late, root,
                Watcher.Settings.ofNamed(), HotWatchSet.Settings.DEFAULT, facts::add)) {
            for (int i = 0; i < 10; i++) {
                Files.writeString(directory.resolve("file" + i), "1");
                hot.watcher().flush();
            }
            assertThat(hot.drift().isKnown()).isTrue();
            assertThat(hot.drift().drift()).isBetween(Duration.ofMinutes(119), Duration.ofMinutes(121));
        }
    }

    private static List<DirectoryTimes> scan(BytePath root, String hot) {
        long now = EpochNanos.of(WALL.instant());
        List<DirectoryTimes> all = new ArrayList<>(List.of(new DirectoryTimes(root, 0, 0)));
        for (int i = 0; i < 1000; i++) {
            boolean isHot = hot.equals("d" + i);
            long time = isHot ? now : now - Duration.ofDays(1).toNanos() - i;
            all.add(new DirectoryTimes(at(root, "d" + i), time, time));
        }
        return all;
    }

    private static BytePath at(BytePath root, String path) {
        return root.resolve(BytePath.of(path));
    }
}
