package io.entrepot.bench.scan;

import io.entrepot.lab.Command;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import io.entrepot.scan.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Files made by some threads as fast as they can, in new directories, while our watcher tells of them. Remembers the worst of
 * all measurements. Use from one thread.
 */
final class WatchTrial {
    static final int PER_DIRECTORY = 1_000;

    private final Path place;
    private final int threads;
    private final int files;
    private final BootClock clock = BootClock.system();
    private int trials;
    private long missing;
    private long overflows;
    private long rescans;
    private long longestDelay;
    private double fastestMaking;

    /** So many files in all: a multiple of what the threads put into a directory each. */
    WatchTrial(Path place, int threads, int files) {
        if (files % (threads * PER_DIRECTORY) != 0) {
            throw new IllegalArgumentException(files + " files cannot be shared by " + threads + " threads");
        }
        this.place = place;
        this.threads = threads;
        this.files = files;
    }

    /** Files told of in a second, from the first one's making to the last one's fact. */
    double measure() throws Exception {
        Path root = Files.createDirectory(place.resolve("watched-" + trials++)).toRealPath();
        ToldFiles told = new ToldFiles(clock::nanos);
        try (Watcher watcher = Watcher.open(FileCalls.system(), clock, BytePath.of(root),
                Watcher.Settings.ofWholeTree(), told)) {
            watcher.flush();
            long begin = clock.nanos();
            make(root);
            long made = clock.nanos();
            watcher.flush();
            missing += told.missing(expected(root));
            overflows += watcher.status().overflows();
            rescans += told.rescans();
            longestDelay = Math.max(longestDelay, told.last() - made);
            fastestMaking = Math.max(fastestMaking, files * 1e9 / (made - begin));
            return files * 1e9 / (Math.max(told.last(), made) - begin);
        } finally {
            Command.check(place, List.of("rm", "-rf", root.toString()));
        }
    }

    private void make(Path root) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> makers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int maker = i;
                makers.add(pool.submit(() -> {
                    fill(root, maker);
                    return maker;
                }));
            }
            for (Future<?> maker : makers) {
                maker.get();
            }
        }
    }

    private void fill(Path root, int maker) throws IOException {
        for (int i = 0; i < directoriesEach(); i++) {
            Path directory = Files.createDirectory(root.resolve(directory(maker, i)));
            for (int j = 0; j < PER_DIRECTORY; j++) {
                Files.createFile(directory.resolve(file(j)));
            }
        }
    }

    private List<BytePath> expected(Path root) {
        List<BytePath> all = new ArrayList<>();
        for (int maker = 0; maker < threads; maker++) {
            for (int i = 0; i < directoriesEach(); i++) {
                BytePath directory = BytePath.of(root).resolve(Name.of(directory(maker, i)));
                for (int j = 0; j < PER_DIRECTORY; j++) {
                    all.add(directory.resolve(Name.of(file(j))));
                }
            }
        }
        return all;
    }

    private int directoriesEach() {
        return files / threads / PER_DIRECTORY;
    }

    private static String directory(int maker, int i) {
        return "directory-" + maker + "-" + i;
    }

    private static String file(int j) {
        return "file-" + j;
    }

    /** Files that nobody was told of, in all measurements so far. */
    long missing() {
        return missing;
    }

    long overflows() {
        return overflows;
    }

    long rescans() {
        return rescans;
    }

    /** Between the last file's making and the last fact; zero where the fact came first. */
    long longestDelayNanos() {
        return longestDelay;
    }

    /** Files in a second, as they were made. */
    double fastestMaking() {
        return fastestMaking;
    }

    int trials() {
        return trials;
    }
}
