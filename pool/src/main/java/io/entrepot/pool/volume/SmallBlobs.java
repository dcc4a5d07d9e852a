package io.entrepot.pool.volume;

import io.entrepot.posix.Name;
import io.entrepot.posix.Replacing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * Puts blobs that are in memory as a whole. Each is made in its place, marked until it is whole, where the file system keeps such a
 * mark; else under a temporary name, like one that is written piece by piece. Safe for use by many threads.
 */
final class SmallBlobs {
    private final VolumeRoot root;
    private final MountThreads threads;
    private final Placing placing;
    private final TempNames names;
    private final Backend.Traits traits;
    private final PutQueue queue;

    SmallBlobs(VolumeRoot root, MountThreads threads, Placing placing, TempNames names, Backend.Traits traits) {
        this.root = root;
        this.threads = threads;
        this.placing = placing;
        this.names = names;
        this.traits = traits;
        this.queue = new PutQueue(threads);
    }

    static void checkDescription(byte[] description) {
        if (description.length > Backend.LONGEST_DESCRIPTION) {
            throw new IllegalArgumentException("a description has at most " + Backend.LONGEST_DESCRIPTION
                    + " bytes, not " + description.length);
        }
    }

    void put(BlobPath path, ByteBuffer content, byte[] description, Replacing replacing)
            throws VolumeException, InterruptedException {
        checkDescription(description);
        ByteBuffer bytes = content.duplicate();
        Attempt attempt = new Attempt();
        threads.call(path, attempt, () -> put(path, bytes, description, replacing, attempt));
        content.position(content.limit());
    }

    /** Returns at once. */
    Backend.Putting putting(BlobPath path, ByteBuffer content, byte[] description, Runnable placed)
            throws VolumeException {
        checkDescription(description);
        return queue.add(path, attempt -> put(path, content.duplicate(), description, Replacing.NO_REPLACE, attempt),
                placed);
    }

    /** How many of them, from the first one on, were put. */
    int putAll(List<Backend.NewBlob> blobs) throws VolumeException, InterruptedException {
        blobs.forEach(blob -> checkDescription(blob.description()));
        List<Attempt> attempts = blobs.stream().map(_ -> new Attempt()).toList();
        try {
            return threads.call(blobs.size() + " blobs", () -> {
                int placed = 0;
                while (placed < blobs.size() && tryToPut(blobs.get(placed), attempts.get(placed))) {
                    placed++;
                }
                return placed;
            });
        } catch (VolumeException | InterruptedException e) {
            attempts.forEach(Attempt::giveUp);
            throw e;
        }
    }

    private boolean tryToPut(Backend.NewBlob blob, Attempt attempt) {
        try {
            return put(blob.path(), blob.content().duplicate(), blob.description(), Replacing.NO_REPLACE, attempt);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * All in one go on one thread: to change threads costs as much as the rest together. Made where it is to stay, if what a crash
     * leaves of it can be told there, and nothing is replaced; else made elsewhere, and moved when it is whole.
     */
    private boolean put(BlobPath path, ByteBuffer content, byte[] description, Replacing replacing, Attempt attempt)
            throws IOException {
        Map<String, byte[]> attributes = traits.described() ? Map.of(VolumeRoot.DESCRIPTION, description) : Map.of();
        if (root.marks() && !traits.durable() && replacing == Replacing.NO_REPLACE) {
            return placing.create(path, content, attributes, attempt::make);
        }
        Name temp = names.unused(name -> {
            root.incoming().createWhole(name, VolumeRoot.FILE_MODE, content, attributes, traits.durable());
            return name;
        });
        try {
            if (attempt.make()) {
                placing.place(temp, path, replacing, traits.durable());
                return true;
            }
        } catch (IOException | RuntimeException e) {
            root.drop(temp);
            throw e;
        }
        root.drop(temp);
        return false;
    }
}
