package io.entrepot.bench.scan;

import io.entrepot.bench.BenchRun;
import io.entrepot.lab.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A directory of the run that is a tmpfs of its own where one can be mounted and memory is plenty; it goes with the directory
 * of the run.
 */
final class Tmpfs {
    private static final long NEEDED_KB = 4L << 20;

    private Tmpfs() {}

    /** Makes it; a note says what it has become. */
    static Path make(BenchRun run, String name) throws IOException {
        Path root = Files.createDirectory(run.directory().resolve(name));
        if (hasMemory() && mounted(run, root)) {
            run.note("the " + name + " is on a tmpfs");
        } else {
            run.note("the " + name + " is on the disk of the run, as no tmpfs could be had for it");
        }
        return root;
    }

    private static boolean mounted(BenchRun run, Path root) {
        try {
            Command.check(run.directory(),
                    List.of("mount", "-t", "tmpfs", "-o", "size=6g,nr_inodes=0", "tmpfs", root.toString()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean hasMemory() throws IOException {
        Path table = Path.of("/proc/meminfo");
        return Files.isReadable(table) && Files.readAllLines(table).stream()
                .filter(line -> line.startsWith("MemAvailable:"))
                .anyMatch(line -> Long.parseLong(line.replaceAll("\\D", "")) > NEEDED_KB);
    }
}
