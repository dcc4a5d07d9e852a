package io.entrepot.bench.pool;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import io.entrepot.lab.Command;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** One large file in and out, with its checksum, against cp and sync. */
public final class LargeBench implements Bench {
    private static final String OURS = "entrepot";
    private static final String PEER = "cp+sync";
    private static final String LIMIT = "checksum";
    private static final String SOURCE = "source";

    @Override
    public String name() {
        return "large";
    }

    @Override
    public String measures() {
        return "1 GiB into the pool and out of it, checksummed, against cp and sync";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        long mebibytes = run.shortForm() ? 128 : 1024;
        Path source = source(run.directory(), mebibytes);
        try (BenchPool pool = BenchPool.open(run.directory())) {
            String in = "write " + mebibytes + " MiB";
            if (run.wants(in)) {
                Row row = run.run(new Contest(in, "MiB/s").enter(OURS, () -> mebibytes / write(pool, source))
                        .enter(PEER, () -> mebibytes / copy(source, run.directory()))
                        .enter(LIMIT, () -> mebibytes / sum(mebibytes))).row(in, OURS, PEER, LIMIT);
                run.add(row);
                run.add(Goal.atLeast(0.8, PEER, row));
            }
            String out = "read " + mebibytes + " MiB";
            if (run.wants(out)) {
                FileKey key = put(pool, source);
                Row row = run.run(new Contest(out, "MiB/s")
                        .enter(OURS, () -> mebibytes / read(pool, key, run.directory()))
                        .enter(PEER, () -> mebibytes / copy(source, run.directory()))
                        .enter(LIMIT, () -> mebibytes / sum(mebibytes))).row(out, OURS, PEER, LIMIT);
                run.add(row);
                run.add(Goal.atLeast(0.8, PEER, row));
            }
        }
        run.note(
                "entrepot: the checksum is computed when written and verified when read; what is read is saved to a"
                        + " file that is synced, as cp's is; sources are in memory");
        run.note("checksum: so many bytes in memory summed up by one processor, and nothing else; cp does not");
        run.note(String.format(Locale.ROOT, "heap in use at the end: %d MiB",
                (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20));
    }

    private static Path source(Path directory, long mebibytes) throws IOException {
        Path source = directory.resolve(SOURCE);
        byte[] piece = new byte[1 << 20];
        Random random = new Random(1);
        try (OutputStream out = Files.newOutputStream(source)) {
            for (long i = 0; i < mebibytes; i++) {
                random.nextBytes(piece);
                out.write(piece);
            }
        }
        return source;
    }

    private static FileKey put(BenchPool pool, Path source) throws Exception {
        return pool.pool().files().write(BenchPool.TENANT, NewFile.named("large.bin"), source).key();
    }

    /**
     * Memory that nobody had for a while may have to be fetched by a virtual machine first, which takes longer than to copy a file; so
     * each has as much as it needs from somebody who has just given it back.
     */
    private static void warmMemory(Path beside) throws IOException {
        Path warm = beside.resolveSibling("warm");
        byte[] piece = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(warm)) {
            for (long n = Files.size(beside) * 3 / 2; n > 0; n -= piece.length) {
                out.write(piece);
            }
        }
        Files.delete(warm);
    }

    private static double write(BenchPool pool, Path source) throws Exception {
        warmMemory(source);
        long begin = System.nanoTime();
        FileKey key = put(pool, source);
        double seconds = (System.nanoTime() - begin) / 1e9;
        pool.pool().files().delete(BenchPool.TENANT, key, "measured");
        pool.pool().volumes().sync();
        return seconds;
    }

    private static double read(BenchPool pool, FileKey key, Path directory) throws Exception {
        Path copy = directory.resolve("copy");
        warmMemory(directory.resolve(SOURCE));
        long begin = System.nanoTime();
        try (FileContent content = pool.pool().files().open(BenchPool.TENANT, key)) {
            content.saveTo(copy);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        Files.delete(copy);
        return seconds;
    }

    private static double sum(long mebibytes) {
        MessageDigest digest = Sha256.digest();
        byte[] piece = new byte[1 << 20];
        long begin = System.nanoTime();
        for (long i = 0; i < mebibytes; i++) {
            digest.update(piece);
        }
        digest.digest();
        return (System.nanoTime() - begin) / 1e9;
    }

    private static double copy(Path source, Path directory) throws Exception {
        Path copy = directory.resolve("copy");
        warmMemory(source);
        long begin = System.nanoTime();
        Command.check(directory, List.of("cp", source.toString(), copy.toString()));
        Command.check(directory, List.of("sync", copy.toString()));
        double seconds = (System.nanoTime() - begin) / 1e9;
        Files.delete(copy);
        return seconds;
    }
}
