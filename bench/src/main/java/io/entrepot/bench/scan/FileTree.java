package io.entrepot.bench.scan;

import io.entrepot.bench.BenchRun;
import io.entrepot.lab.Command;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files to be found: so many directories, in two levels, with fifty files each that have sizes and no blocks. On a tmpfs of
 * its own where one can be mounted and memory is plenty; it goes with the directory of the run.
 */
record FileTree(Path root, int directories, int files) {
    private static final int PER_DIRECTORY = 50;
    private static final int BRANCH = 100;
    private static final long NEEDED_KB = 4L << 20;

    static FileTree make(BenchRun run, int directories) throws IOException {
        Path root = Files.createDirectory(run.directory().resolve("tree"));
        if (hasMemory() && mounted(run, root)) {
            run.note("the tree is on a tmpfs");
        } else {
            run.note("the tree is on the disk of the run, as no tmpfs could be had for it");
        }
        int files = directories * PER_DIRECTORY;
        run.progress().say("making " + files + " files in " + directories + " directories");
        int all = 0;
        for (int i = 0; all < directories; i++) {
            Path branch = Files.createDirectory(root.resolve("branch-" + i));
            all++;
            fill(branch);
            for (int j = 0; j < BRANCH - 1 && all < directories; j++) {
                fill(Files.createDirectory(branch.resolve("directory-" + j)));
                all++;
            }
            run.progress().tick(all + " directories made");
        }
        return new FileTree(root, directories, files);
    }

    private static void fill(Path directory) throws IOException {
        for (int i = 0; i < PER_DIRECTORY; i++) {
            try (RandomAccessFile file = new RandomAccessFile(directory.resolve("file-" + i + ".dat").toString(),
                    "rw")) {
                file.setLength(100L * i);
            }
        }
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
