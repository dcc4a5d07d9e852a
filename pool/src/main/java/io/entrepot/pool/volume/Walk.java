package io.entrepot.pool.volume;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Goes through all of a volume but what is ours alone. Remembers no more than directories that are still to be read, last in,
 * first out: those beside the path from the root to where it is. For one thread.
 */
final class Walk {
    private final MountThreads threads;
    private final VolumeRoot root;
    private final Consumer<Backend.Stored> blobs;
    private final Consumer<Backend.Stray> strays;
    private final Deque<BytePath> waiting = new ArrayDeque<>();

    Walk(MountThreads threads, VolumeRoot root, Consumer<Backend.Stored> blobs, Consumer<Backend.Stray> strays) {
        this.threads = threads;
        this.root = root;
        this.blobs = blobs;
        this.strays = strays;
    }

    /** Storage that is unmounted, before or meanwhile, is an empty directory. That would be a walk, too, of nothing. */
    void run() throws VolumeException, InterruptedException {
        check();
        waiting.push(BytePath.CURRENT);
        while (!waiting.isEmpty()) {
            visit(waiting.pop());
        }
        check();
    }

    private void check() throws VolumeException, InterruptedException {
        threads.call("walk", () -> {
            root.check();
            return true;
        });
    }

    private void visit(BytePath directory) throws VolumeException, InterruptedException {
        try (Listing listing = new Listing(threads, root, directory)) {
            Listing.Part part;
            do {
                part = listing.next();
                if (part.foreign()) {
                    strays.accept(new Backend.Stray(directory.toString(), 0, 0));
                }
                for (Listing.Found found : part.found()) {
                    tell(directory, found);
                }
            } while (!part.last());
        }
    }

    private void tell(BytePath directory, Listing.Found found) {
        BytePath path = directory.resolve(found.name());
        if (found.type() == FileType.DIRECTORY) {
            if (!(directory.depth() == 0 && found.name().equals(VolumeRoot.META))) {
                waiting.push(path);
            }
            return;
        }
        Optional<BlobPath> blob = found.type() == FileType.FILE ? BlobPath.parse(path.toString()) : Optional.empty();
        if (blob.isPresent()) {
            blobs.accept(new Backend.Stored(blob.get(), found.size(), found.changed(), found.whole()));
        } else {
            strays.accept(new Backend.Stray(path.toString(), found.size(), found.changed()));
        }
    }
}
