package io.entrepot.pool.volume;

import io.entrepot.posix.Errno;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Replacing;
import java.io.IOException;

/**
 * Moves what was written to its place. Directories are made when the move finds them missing, so that it needs no look before,
 * and made again when somebody removes them, being empty, between that and the move. Safe for use by many threads. All calls
 * block: for the mount's threads.
 */
final class Placing {
    /** Whoever removes empty directories would have to win this often in a row. */
    private static final int ATTEMPTS = 1000;

    private final VolumeRoot root;
    private final OpenDirectories directories;
    private final NoReplace noReplace = new NoReplace();

    Placing(VolumeRoot root, OpenDirectories directories) {
        this.root = root;
        this.directories = directories;
    }

    /**
     * @param durably the name, and those of the directories on the way; if that fails the blob is gone
     * @throws PosixException {@link Errno#EEXIST} if the place is taken
     */
    void place(Name temp, BlobPath path, Replacing replacing, boolean durably) throws IOException {
        String directory = path.directory();
        Name name = Name.of(path.fileName());
        for (int attempt = 1;; attempt++) {
            try (OpenDirectories.Held leaf = directories.make(directory)) {
                if (replacing == Replacing.REPLACE) {
                    root.incoming().rename(temp, leaf.directory(), name, replacing);
                } else {
                    noReplace.move(root.incoming(), temp, leaf.directory(), name);
                }
                if (durably) {
                    makeDurable(leaf, name);
                }
                return;
            } catch (PosixException e) {
                if (!Failures.isGone(e)) {
                    throw e;
                }
                directories.forget(directory);
                checkIsThere(temp, e);
                if (attempt == ATTEMPTS) {
                    throw new Fault(VolumeException.Kind.BROKEN,
                            directory + " was removed " + attempt + " times: " + e);
                }
            }
        }
    }

    private void makeDurable(OpenDirectories.Held leaf, Name name) throws IOException {
        try {
            leaf.directory().sync();
            directories.makeDurable(leaf);
            root.requireAlive();
        } catch (IOException e) {
            try {
                leaf.directory().unlink(name);
            } catch (IOException undoing) {
                e.addSuppressed(undoing);
            }
            throw new Fault(Failures.kind(e) == VolumeException.Kind.FULL
                    ? VolumeException.Kind.FULL
                    : VolumeException.Kind.BROKEN, e.toString());
        }
    }

    private void checkIsThere(Name temp, PosixException cause) throws IOException {
        try {
            root.incoming().stat(temp, Freshness.UNCACHED);
        } catch (PosixException e) {
            if (!Failures.isGone(e)) {
                throw e;
            }
            root.check();
            throw new Fault(VolumeException.Kind.MISSING,
                    "what was written as " + temp + " is gone: " + cause.getMessage());
        }
    }
}
