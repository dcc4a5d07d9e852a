package io.entrepot.bench.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Threads that each repeat an operation in a directory of their own for some time. */
final class Load {

    /** What a thread repeats. Used by that thread alone. */
    interface Operation extends AutoCloseable {

        void once() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Makes a thread's operation in its directory. */
    interface Factory {
        Operation in(Path directory) throws IOException;
    }

    private Load() {}

    /** Operations per second of all threads together. Platform threads, because a sync blocks the one that calls it. */
    static double run(Path parent, int threads, long nanos, Factory factory) throws Exception {
        Path directory = Files.createTempDirectory(parent, "load");
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            long begin = System.nanoTime();
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Path own = Files.createDirectory(directory.resolve("" + i));
                counts.add(pool.submit(() -> repeat(factory, own, begin, nanos)));
            }
            long sum = 0;
            for (Future<Long> count : counts) {
                sum += count.get();
            }
            return sum / ((System.nanoTime() - begin) / 1e9);
        } finally {
            delete(directory);
        }
    }

    private static long repeat(Factory factory, Path directory, long begin, long nanos) throws IOException {
        long count = 0;
        try (Operation operation = factory.in(directory)) {
            while (System.nanoTime() - begin < nanos) {
                operation.once();
                count++;
            }
        }
        return count;
    }

    private static void delete(Path directory) throws IOException {
        List<Path> entries;
        try (Stream<Path> walk = Files.walk(directory)) {
            entries = walk.toList();
        }
        for (Path entry : entries.reversed()) {
            Files.delete(entry);
        }
    }
}
