package io.entrepot.bench.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import io.entrepot.scan.Fact;
import io.entrepot.scan.Watcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTrialTest {

    @TempDir
    Path directory;

    @BeforeEach
    void needsInotify() {
        assumeTrue(FileCalls.system().notification().isPresent(), "no inotify");
    }

    @Test
    void measure_missesNothing_andLeavesNothing() throws Exception {
        WatchTrial trial = new WatchTrial(directory, 2, 4_000);
        assertThat(trial.measure()).isPositive();
        assertThat(trial.measure()).isPositive();
        assertThat(trial.trials()).isEqualTo(2);
        assertThat(trial.missing()).isZero();
        assertThat(trial.fastestMaking()).isPositive();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void trial_isRefused_whenItsFilesCannotBeShared() {
        assertThatThrownBy(() -> new WatchTrial(directory, 2, 3_000)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void toldFiles_areThoseListedAndThoseThatCame_eachOnce() throws Exception {
        Path root = directory.toRealPath();
        Files.createDirectory(root.resolve("below"));
        Files.createFile(root.resolve("before"));
        AtomicLong now = new AtomicLong(5);
        ToldFiles told = new ToldFiles(now::get);
        BytePath place = BytePath.of(root);
        List<BytePath> files = List.of(place.resolve(Name.of("before")), place.resolve(Name.of("after")),
                place.resolve(Name.of("below")));
        assertThat(told.missing(files)).isEqualTo(3);
        try (Watcher watcher = Watcher.open(FileCalls.system(), BootClock.system(), place,
                Watcher.Settings.ofWholeTree(), told)) {
            watcher.flush();
            assertThat(told.missing(files)).isEqualTo(2);
            now.set(6);
            Files.createFile(root.resolve("after"));
            watcher.flush();
            assertThat(told.last()).isEqualTo(6);
            now.set(7);
            Files.writeString(root.resolve("after"), "more");
            watcher.flush();
        }
        assertThat(told.last()).as("nothing new has come").isEqualTo(6);
        assertThat(told.missing(files)).as("directories are no files").isEqualTo(1);
    }

    @Test
    void toldFiles_countsWhatItIsToldToLookAt_butDoesNotLook() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        ToldFiles told = new ToldFiles(() -> 0);
        told.accept(new Fact.Rescan(BytePath.of(directory), Fact.Reason.OVERFLOW));
        assertThat(told.rescans()).isEqualTo(1);
        assertThat(told.missing(List.of(BytePath.of(file)))).isEqualTo(1);
    }
}
