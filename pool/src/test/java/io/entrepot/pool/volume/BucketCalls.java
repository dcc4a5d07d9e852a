package io.entrepot.pool.volume;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A bucket's calls as a backend makes them: what did not come back is asked again, and what failures mean is said as a volume's.
 * Safe for use by many threads.
 */
final class BucketCalls {
    private static final int TRIES = 40;
    /** At the beginning of what an object carries: who has put it, so that he knows it again when he was not answered. */
    private static final int MARK = 24;

    private final Bucket bucket;
    private final String prefix;
    private final String volume;
    private final int page;
    private volatile boolean closed;

    interface Call<T> {
        T run() throws Bucket.CallException, InterruptedException;
    }

    BucketCalls(Bucket bucket, String prefix, String volume, int page) {
        this.bucket = bucket;
        this.prefix = prefix;
        this.volume = volume;
        this.page = page;
    }

    Bucket bucket() {
        return bucket;
    }

    void close() {
        closed = true;
    }

    void requireOpen() throws VolumeException {
        if (closed) {
            throw new VolumeException(VolumeException.Kind.CLOSED, "volume " + volume + " was closed", null);
        }
    }

    String key(Object of) {
        return prefix + of;
    }

    <T> T call(Object what, Call<T> call) throws VolumeException, InterruptedException {
        for (int tries = 1;; tries++) {
            try {
                return call.run();
            } catch (Bucket.CallException e) {
                if (e.status() != Bucket.CallException.Status.BROKEN_CONNECTION || tries == TRIES) {
                    throw failure(what, e);
                }
            }
        }
    }

    VolumeException failure(Object what, Bucket.CallException e) {
        VolumeException.Kind kind = switch (e.status()) {
            case NO_SUCH_KEY -> VolumeException.Kind.MISSING;
            case PRECONDITION_FAILED -> VolumeException.Kind.EXISTS;
            case DENIED -> VolumeException.Kind.BROKEN;
            case BROKEN_CONNECTION, TIMEOUT -> VolumeException.Kind.HANGS;
        };
        return new VolumeException(kind, "volume " + volume + ": " + what + ": " + e.getMessage(), e);
    }

    /** @param mark never the same twice */
    void put(Object what, byte[] content, byte[] description, String mark, boolean onlyIfNone)
            throws VolumeException, InterruptedException {
        byte[] carried = carried(mark, description);
        place(what, carried, () -> {
            bucket.put(key(what), content, carried, onlyIfNone);
            return true;
        });
    }

    void compose(Object what, java.util.List<String> parts, byte[] description, String mark)
            throws VolumeException, InterruptedException {
        byte[] carried = carried(mark, description);
        place(what, carried, () -> {
            bucket.compose(key(what), parts, carried, true);
            return true;
        });
    }

    /** That it is there may be our own doing, of which no answer came. */
    private void place(Object what, byte[] carried, Call<Boolean> call) throws VolumeException, InterruptedException {
        try {
            call(what, call);
        } catch (VolumeException e) {
            if (e.kind() != VolumeException.Kind.EXISTS
                    || !Arrays.equals(carried, call(what, () -> bucket.head(key(what))).carried())) {
                throw e;
            }
        }
    }

    private static byte[] carried(String mark, byte[] description) {
        byte[] carried = Arrays.copyOf(mark.getBytes(java.nio.charset.StandardCharsets.US_ASCII), MARK
                + description.length);
        System.arraycopy(description, 0, carried, MARK, description.length);
        return carried;
    }

    static byte[] description(Bucket.Head head) {
        return Arrays.copyOfRange(head.carried(), MARK, head.carried().length);
    }

    Optional<Bucket.Head> find(Object what) throws VolumeException, InterruptedException {
        try {
            return Optional.of(call(what, () -> bucket.head(key(what))));
        } catch (VolumeException e) {
            if (e.kind() != VolumeException.Kind.MISSING) {
                throw e;
            }
            return Optional.empty();
        }
    }

    void delete(Object what) throws VolumeException, InterruptedException {
        call(what, () -> {
            bucket.delete(key(what));
            return true;
        });
    }

    /** With keys as they are behind the prefix. */
    void list(String below, Consumer<Bucket.Entry> visitor) throws VolumeException, InterruptedException {
        Optional<String> next = Optional.empty();
        do {
            Optional<String> from = next;
            Bucket.Page found = call("list " + below, () -> bucket.list(key(below), from, page));
            found.entries().forEach(entry -> visitor.accept(
                    new Bucket.Entry(entry.key().substring(prefix.length()), entry.size(), entry.changed())));
            next = found.next();
        } while (next.isPresent());
    }
}
