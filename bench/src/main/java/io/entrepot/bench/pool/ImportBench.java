package io.entrepot.bench.pool;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import io.entrepot.lab.Command;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A watch folder full of small files, imported and removed, against a copy of it that is synced. */
public final class ImportBench implements Bench {
    private static final String OURS = "entrepot";
    private static final String PEER = "cp -r+sync";
    private static final int SIZE = 4096;
    private static final int FILES_PER_DIRECTORY = 250;

    @Override
    public String name() {
        return "import";
    }

    @Override
    public String measures() {
        return "small files imported from a watch folder, each once, against cp -r and sync";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        int files = run.shortForm() ? 5_000 : 100_000;
        String name = "import " + files + " files of 4 KiB";
        if (!run.wants(name)) {
            return;
        }
        Row row = run.run(new Contest(name, "files/s").enter(OURS, () -> ours(run.directory(), files))
                .enter(PEER, () -> copied(run.directory(), files))).row(name, OURS, PEER);
        run.add(row);
        run.add(Goal.atLeast(0.5, PEER, row));
        run.note(
                "entrepot: each file seen twice, read, checksummed, stored with its row and its record, and its source removed;"
                        + " the syncs of the volume are counted. cp: neither");
    }

    private static double ours(Path parent, int files) throws Exception {
        Path source = tree(parent, files);
        try (BenchPool pool = BenchPool.open(parent)) {
            WatcherId id = new WatcherId("bench");
            WatcherSpec spec = WatcherSpec.ofTenant("bench", BenchPool.TENANT, source)
                    .withMinFileAge(Duration.ofMillis(1)).withMaxConcurrentImports(64);
            long begin = System.nanoTime();
            pool.pool().watchers().add(spec);
            while (pool.pool().watchers().status(id).importedFiles() < files) {
                pool.pool().watchers().scanNow(id);
            }
            pool.pool().volumes().sync();
            return files / ((System.nanoTime() - begin) / 1e9);
        } finally {
            BenchPool.delete(source);
        }
    }

    private static double copied(Path parent, int files) throws Exception {
        Path source = tree(parent, files);
        Path copy = parent.resolve("copy");
        try {
            long begin = System.nanoTime();
            Command.check(parent, List.of("cp", "-r", source.toString(), copy.toString()));
            Command.check(parent, List.of("sync", "-f", copy.toString()));
            return files / ((System.nanoTime() - begin) / 1e9);
        } finally {
            BenchPool.delete(copy);
            BenchPool.delete(source);
        }
    }

    private static Path tree(Path parent, int files) throws IOException, InterruptedException {
        Path source = Files.createTempDirectory(parent, "source");
        byte[] content = new byte[SIZE];
        Random random = new Random(1);
        Path directory = source;
        for (int i = 0; i < files; i++) {
            if (i % FILES_PER_DIRECTORY == 0) {
                directory = Files.createDirectory(source.resolve("d" + i / FILES_PER_DIRECTORY));
            }
            random.nextBytes(content);
            Files.write(directory.resolve("file-" + i + ".dat"), content);
        }
        Command.check(parent, List.of("sync", "-f", source.toString()));
        return source;
    }
}
