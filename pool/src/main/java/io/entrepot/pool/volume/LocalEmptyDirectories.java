package io.entrepot.pool.volume;

import io.entrepot.pool.TenantId;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Removes directories by asking the file system to, which refuses if there is anything in them: nothing is looked at first and
 * removed later. Only those that blobs make: tenants, and pairs of digits below. A blob on its way to a directory that is
 * removed makes it again, see {@link Placing}. Safe for use by many threads.
 */
final class LocalEmptyDirectories implements EmptyDirectories {
    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{2}");

    private final MountThreads threads;
    private final VolumeRoot root;
    private final OpenDirectories directories;

    LocalEmptyDirectories(MountThreads threads, VolumeRoot root, OpenDirectories directories) {
        this.threads = threads;
        this.root = root;
        this.directories = directories;
    }

    @Override
    public int removeAbove(BlobPath deleted, Predicate<String> isProtected, Consumer<String> told)
            throws VolumeException, InterruptedException {
        int removed = 0;
        for (String path = deleted.directory(); !path.isEmpty() && !isProtected.test(path); path = above(path)) {
            switch (remove(path)) {
                case REMOVED -> {
                    removed++;
                    told.accept(path);
                }
                case STAYS -> {
                    return removed;
                }
                case GONE -> {
                }
            }
        }
        return removed;
    }

    @Override
    public int removeAll(Optional<TenantId> tenant, Predicate<String> isProtected, boolean dryRun,
            Consumer<String> removed) throws VolumeException, InterruptedException {
        Sweep sweep = new Sweep(isProtected, dryRun, removed);
        if (tenant.isPresent()) {
            sweep.visit(tenant.get().name(), 0);
        } else {
            for (String name : list("").directories) {
                if (TenantId.isValid(name)) {
                    sweep.visit(name, 0);
                }
            }
        }
        return sweep.count;
    }

    /** One pass from the leaves up, on its caller's thread. */
    private final class Sweep {
        private final Predicate<String> isProtected;
        private final boolean dryRun;
        private final Consumer<String> removed;
        private int count;

        Sweep(Predicate<String> isProtected, boolean dryRun, Consumer<String> removed) {
            this.isProtected = isProtected;
            this.dryRun = dryRun;
            this.removed = removed;
        }

        /** Whether it is gone, or would be. */
        boolean visit(String path, int depth) throws VolumeException, InterruptedException {
            Contents contents = list(path);
            boolean empty = !contents.others && !contents.foreign;
            if (!contents.foreign) {
                for (String name : contents.directories) {
                    empty &= depth < BlobPath.DEEPEST && DIGITS.matcher(name).matches()
                            && visit(path + "/" + name, depth + 1);
                }
            }
            if (!empty || isProtected.test(path)) {
                return false;
            }
            if (!dryRun) {
                switch (remove(path)) {
                    case REMOVED -> {
                    }
                    case STAYS -> {
                        return false;
                    }
                    case GONE -> {
                        return true;
                    }
                }
            }
            count++;
            removed.accept(path);
            return true;
        }
    }

    /** @param others whether there is anything but directories */
    private record Contents(List<String> directories, boolean others, boolean foreign) {}

    private Contents list(String path) throws VolumeException, InterruptedException {
        List<String> found = new ArrayList<>();
        boolean others = false;
        try (Listing listing = new Listing(threads, root, BytePath.of(path))) {
            Listing.Part part;
            do {
                part = listing.next();
                for (Listing.Found one : part.found()) {
                    if (one.type() == FileType.DIRECTORY) {
                        found.add(one.name().toString());
                    } else {
                        others = true;
                    }
                }
                if (part.foreign()) {
                    return new Contents(List.of(), true, true);
                }
            } while (!part.last());
        }
        return new Contents(found, others, false);
    }

    private enum Outcome {
        REMOVED, STAYS, GONE
    }

    private Outcome remove(String path) throws VolumeException, InterruptedException {
        return threads.call("remove " + path, () -> removeNow(path));
    }

    private Outcome removeNow(String path) throws IOException {
        String above = above(path);
        Name name = Name.of(path.substring(path.lastIndexOf('/') + 1));
        directories.doubt(path);
        try {
            if (above.isEmpty()) {
                root.top().removeDirectory(name);
            } else {
                try (OpenDirectories.Held held = directories.open(above)) {
                    held.directory().removeDirectory(name);
                }
            }
            directories.forget(path);
            return Outcome.REMOVED;
        } catch (PosixException e) {
            if (e.is(Errno.ENOTEMPTY) || e.is(Errno.EEXIST) || e.is(Errno.EBUSY) || e.is(Errno.ENOTDIR)) {
                return Outcome.STAYS;
            }
            if (Failures.isGone(e)) {
                directories.forget(path);
                root.check();
                return Outcome.GONE;
            }
            throw e;
        }
    }

    private static String above(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
