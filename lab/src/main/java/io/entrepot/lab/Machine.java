package io.entrepot.lab;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a figure was measured. Without it a figure means nothing; with it two runs can be compared.
 *
 * @param fileSystem kind of the file system measured on
 * @param fdatasyncMicros median time of a small append with a sync on it, by one thread
 */
public record Machine(int cores, long memoryMebibytes, String kernel, String jdk, String fileSystem,
        long fdatasyncMicros) {

    private static final int SYNCS = 200;
    private static final long LIMIT_NANOS = 500_000_000L;

    /** Looks around, and measures the disk under the directory for at most half a second. */
    public static Machine measure(Path directory) throws IOException {
        return new Machine(Runtime.getRuntime().availableProcessors(), memory(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor") + " " + Runtime.version(), Files.getFileStore(directory).type(),
                fdatasync(directory) / 1000);
    }

    private static long memory() throws IOException {
        Path info = Path.of("/proc/meminfo");
        if (!Files.exists(info)) {
            return Runtime.getRuntime().maxMemory() >> 20;
        }
        Optional<String> total = Files.readAllLines(info).stream().filter(line -> line.startsWith("MemTotal:"))
                .findFirst();
        return total.map(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10).orElse(0L);
    }

    private static long fdatasync(Path directory) throws IOException {
        Path file = Files.createTempFile(directory, "fdatasync", ".probe");
        long[] nanos = new long[SYNCS];
        int count = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long begin = System.nanoTime();
            while (count < SYNCS && System.nanoTime() - begin < LIMIT_NANOS) {
                long start = System.nanoTime();
                channel.write(ByteBuffer.allocate(300));
                channel.force(false);
                nanos[count++] = System.nanoTime() - start;
            }
        } finally {
            Files.deleteIfExists(file);
        }
        Arrays.sort(nanos, 0, count);
        return nanos[count / 2];
    }

    /** For people, in one line. */
    public String text() {
        return String.format(Locale.ROOT, "%d cores, %.1f GiB, %s, JDK %s, %s, fdatasync %d µs", cores,
                memoryMebibytes / 1024.0, kernel, jdk, fileSystem, fdatasyncMicros);
    }
}
