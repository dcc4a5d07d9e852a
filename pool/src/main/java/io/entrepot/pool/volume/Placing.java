package io.entrepot.pool.volume;

import io.entrepot.posix.Errno;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Replacing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Moves what was written to its place, or writes it there. Directories are made when that finds them missing, so that it needs no look before,
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
        in(path.directory(), leaf -> {
            Name name = Name.of(path.fileName());
            if (replacing == Replacing.REPLACE) {
                root.incoming().rename(temp, leaf.directory(), name, replacing);
            } else {
                noReplace.move(root.incoming(), temp, leaf.directory(), name);
            }
            if (durably) {
                makeDurable(leaf, name);
            }
            return true;
        }, gone -> checkIsThere(temp, gone));
    }

    /**
     * Makes a small one there.
     *
     * @return whether it was still wanted
     * @throws PosixException {@link Errno#EEXIST} if the place is taken
     */
    boolean create(BlobPath path, ByteBuffer content, Map<String, byte[]> attributes, BooleanSupplier wanted)
            throws IOException {
        Name name = Name.of(path.fileName());
        AtomicBoolean granted = new AtomicBoolean(); // who said yes is not asked again, whatever is then tried again
        return in(path.directory(), leaf -> leaf.directory().createInPlace(name, VolumeRoot.FILE_MODE, content,
                attributes, () -> {
                    if (!granted.get()) {
                        granted.set(wanted.getAsBoolean());
                    }
                    return granted.get();
                }), _ -> root.check());
    }

    private interface Step {
        boolean in(OpenDirectories.Held leaf) throws IOException;
    }

    private interface Missing {
        void check(PosixException why) throws IOException;
    }

    /** @param missing looks whether it is only the directory that is missing, and throws if not */
    private boolean in(String directory, Step step, Missing missing) throws IOException {
        for (int attempt = 1;; attempt++) {
            try (OpenDirectories.Held leaf = directories.make(directory)) {
                return step.in(leaf);
            } catch (PosixException e) {
                if (!Failures.isGone(e)) {
                    throw e;
                }
                directories.forget(directory);
                missing.check(e);
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
