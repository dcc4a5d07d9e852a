package io.entrepot.bench.scan;

import io.entrepot.bench.BenchRun;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files to be found: so many directories, in two levels, with fifty files each that have sizes and no blocks. On a
 * {@linkplain Tmpfs tmpfs} where one can be had.
 */
record FileTree(Path root, int directories, int files) {
    private static final int PER_DIRECTORY = 50;
    private static final int BRANCH = 100;

    static FileTree make(BenchRun run, int directories) throws IOException {
        Path root = Tmpfs.make(run, "tree");
        int files = filesIn(directories);
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

    static int filesIn(int directories) {
        return directories * PER_DIRECTORY;
    }

    private static void fill(Path directory) throws IOException {
        for (int i = 0; i < PER_DIRECTORY; i++) {
            try (RandomAccessFile file = new RandomAccessFile(directory.resolve("file-" + i + ".dat").toString(),
                    "rw")) {
                file.setLength(100L * i);
            }
        }
    }
}
