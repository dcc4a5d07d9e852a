package io.entrepot.bench.scan;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** What a Java program without us would do: {@link Files#walkFileTree}, the branches shared by some threads. */
final class NioScan {

    private NioScan() {}

    /** Seconds. */
    static double measure(FileTree tree, int threads) throws Exception {
        long begin = System.nanoTime();
        long files = 0;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Path> branches;
            try (Stream<Path> list = Files.list(tree.root())) {
                branches = list.toList();
            }
            List<Future<Long>> counts = new ArrayList<>();
            branches.forEach(branch -> counts.add(pool.submit(() -> walk(branch))));
            for (Future<Long> count : counts) {
                files += count.get();
            }
        }
        if (files != tree.files()) {
            throw new IllegalStateException("not all was seen: " + files);
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private static long walk(Path branch) throws IOException {
        Counter counter = new Counter();
        Files.walkFileTree(branch, counter);
        return counter.times == 0 ? 0 : counter.files;
    }

    private static final class Counter extends SimpleFileVisitor<Path> {
        private long files;
        private long times;
        private long sizes;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files++;
            sizes += attributes.size();
            times += attributes.lastModifiedTime().toMillis() + sizes;
            return FileVisitResult.CONTINUE;
        }
    }
}
