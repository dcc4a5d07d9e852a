package io.entrepot.cli;

import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file's bytes where a command can read them: where the pool has them, or a copy in a directory that only this user can look
 * into, and that goes with this. For one thread.
 */
record WorkInput(Path path, Optional<Path> temporary) implements AutoCloseable {
    private static final int PIECE = 1 << 18;

    /** Asked between pieces of a copy, which may take longer than a lease lasts. */
    interface Watch {
        boolean goOn();
    }

    /** @return empty if the watch said so. @throws IOException if the bytes cannot be copied here */
    static Optional<WorkInput> of(FileContent content, FileInfo file, Watch watch) throws IOException {
        Optional<Path> there = file.path().filter(path -> isIt(path, file));
        if (there.isPresent()) {
            return Optional.of(new WorkInput(there.get(), Optional.empty()));
        }
        Path directory = Files.createTempDirectory("entrepot-work"); // which is for its owner only
        WorkInput copy = new WorkInput(directory.resolve(file.key() + file.extension()), Optional.of(directory));
        boolean whole = false;
        try (InputStream in = content.verifiedStream(); OutputStream out = Files.newOutputStream(copy.path)) {
            whole = copy(in, out, watch);
        } finally {
            if (!whole) {
                copy.close();
            }
        }
        return whole ? Optional.of(copy) : Optional.empty();
    }

    /** A path that a server tells may be one of another machine. Keys are unique, so what has its name and size is it. */
    private static boolean isIt(Path path, FileInfo file) {
        try {
            return Files.isReadable(path) && Files.isRegularFile(path) && Files.size(path) == file.size();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean copy(InputStream in, OutputStream out, Watch watch) throws IOException {
        byte[] piece = new byte[PIECE];
        for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
            if (!watch.goOn()) {
                return false;
            }
            out.write(piece, 0, n);
        }
        return true;
    }

    @Override
    public void close() {
        try {
            if (temporary.isPresent()) {
                Trees.delete(temporary.get());
            }
        } catch (IOException e) {
            // The system tidies up its directory for such files.
        }
    }
}
