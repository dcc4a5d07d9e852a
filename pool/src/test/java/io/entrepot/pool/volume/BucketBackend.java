package io.entrepot.pool.volume;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A volume in a {@link Bucket}: blobs are objects at their paths behind a prefix, {@code .entrepot/} has the volume's name, its
 * settings and what was begun. Safe for use by many threads.
 */
final class BucketBackend implements Backend {
    static final String META = ".entrepot/";
    static final String IDENTITY = META + "volume";
    static final String SETTINGS = META + "settings";
    private static final String INCOMING = META + "incoming/";
    private static final byte[] NOTHING = {};

    private final BucketCalls calls;
    private final String volume;
    private final TempNames names;
    private final OptionalLong capacity;

    private BucketBackend(BucketCalls calls, String volume, TempNames names, OptionalLong capacity) {
        this.calls = calls;
        this.volume = volume;
        this.names = names;
        this.capacity = capacity;
    }

    static BucketBackend open(BucketCalls calls, BackendProvider.Terms terms, OptionalLong capacity)
            throws VolumeException, InterruptedException {
        BucketBackend backend = new BucketBackend(calls, terms.volume(), new TempNames(terms.nonces()), capacity);
        if (terms.create() && calls.find(IDENTITY).isEmpty()) {
            try {
                calls.put(IDENTITY, terms.volume().getBytes(StandardCharsets.UTF_8), NOTHING, backend.mark(), true);
            } catch (VolumeException e) {
                if (e.kind() != VolumeException.Kind.EXISTS) {
                    throw e;
                }
            }
        }
        backend.check();
        return backend;
    }

    static Optional<String> identity(BucketCalls calls) throws VolumeException, InterruptedException {
        return content(calls, IDENTITY).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    static Optional<byte[]> content(BucketCalls calls, String key) throws VolumeException, InterruptedException {
        try {
            return Optional.of(calls.call(key,
                    () -> calls.bucket().get(calls.key(key), 0, Integer.MAX_VALUE >> 1, Optional.empty())));
        } catch (VolumeException e) {
            if (e.kind() != VolumeException.Kind.MISSING) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private String mark() {
        return names.next().toString();
    }

    private void check() throws VolumeException, InterruptedException {
        Optional<String> found = identity(calls);
        if (!found.equals(Optional.of(volume))) {
            throw new VolumeException(VolumeException.Kind.NOT_THE_VOLUME, "volume " + volume + " is not there, but "
                    + found.orElse("none"), null);
        }
    }

    /** A bucket that was emptied has nothing of ours: that is not to be taken for files that are missing. */
    private <T> T checked(BucketCalls.Call<T> call, BlobPath path) throws VolumeException, InterruptedException {
        calls.requireOpen();
        try {
            return calls.call(path, call);
        } catch (VolumeException e) {
            if (e.kind() == VolumeException.Kind.MISSING) {
                check();
            }
            throw e;
        }
    }

    @Override
    public Traits traits() {
        return Traits.OBJECTS;
    }

    @Override
    public void put(BlobPath path, ByteBuffer content, byte[] description)
            throws VolumeException, InterruptedException {
        put(path, content, description, true);
    }

    @Override
    public void replace(BlobPath path, ByteBuffer content, byte[] description)
            throws VolumeException, InterruptedException {
        put(path, content, description, false);
    }

    private void put(BlobPath path, ByteBuffer content, byte[] description, boolean onlyIfNone)
            throws VolumeException, InterruptedException {
        SmallBlobs.checkDescription(description);
        calls.requireOpen();
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        calls.put(path, bytes, description, mark(), onlyIfNone);
    }

    @Override
    public Incoming begin() throws VolumeException, InterruptedException {
        calls.requireOpen();
        return BucketIncoming.begin(calls, INCOMING, names);
    }

    @Override
    public Optional<Incoming> resume(String id) throws VolumeException, InterruptedException {
        calls.requireOpen();
        return TempNames.isOne(id) ? BucketIncoming.resume(calls, INCOMING, id, names) : Optional.empty();
    }

    @Override
    public void begun(Consumer<Begun> visitor) throws VolumeException, InterruptedException {
        Map<String, Begun> all = new HashMap<>();
        calls.list(INCOMING, entry -> {
            String id = entry.key().substring(INCOMING.length(), entry.key().indexOf('/', INCOMING.length()));
            all.merge(id, new Begun(id, entry.size(), entry.changed()), (one, other) -> new Begun(id,
                    one.size() + other.size(), Math.max(one.changed(), other.changed())));
        });
        all.values().forEach(visitor);
    }

    @Override
    public boolean dropBegun(String id) throws VolumeException, InterruptedException {
        return TempNames.isOne(id) && BucketIncoming.drop(calls, INCOMING, id);
    }

    @Override
    public Blob open(BlobPath path) throws VolumeException, InterruptedException {
        Bucket.Head head = checked(() -> calls.bucket().head(calls.key(path)), path);
        return new BucketBlob(calls, path, head);
    }

    @Override
    public Optional<Stored> look(BlobPath path) throws VolumeException, InterruptedException {
        try {
            Bucket.Head head = checked(() -> calls.bucket().head(calls.key(path)), path);
            return Optional.of(new Stored(path, head.size(), head.changed(), true));
        } catch (VolumeException e) {
            if (e.kind() != VolumeException.Kind.MISSING) {
                throw e;
            }
            return Optional.empty();
        }
    }

    @Override
    public Optional<byte[]> description(BlobPath path) throws VolumeException, InterruptedException {
        return Optional.of(BucketCalls.description(checked(() -> calls.bucket().head(calls.key(path)), path)));
    }

    @Override
    public boolean delete(BlobPath path) throws VolumeException, InterruptedException {
        calls.requireOpen();
        calls.delete(path);
        return true;
    }

    @Override
    public void walk(Consumer<Stored> blobs, Consumer<Stray> strays) throws VolumeException, InterruptedException {
        calls.requireOpen();
        check();
        calls.list("", entry -> {
            if (!entry.key().startsWith(META)) {
                BlobPath.parse(entry.key()).ifPresentOrElse(
                        path -> blobs.accept(new Stored(path, entry.size(), entry.changed(), true)),
                        () -> strays.accept(new Stray(entry.key(), entry.size(), entry.changed())));
            }
        });
        check();
    }

    @Override
    public void keepSettings(byte[] settings) throws VolumeException, InterruptedException {
        calls.requireOpen();
        calls.put(SETTINGS, settings, NOTHING, mark(), false);
    }

    @Override
    public void release() throws VolumeException, InterruptedException {
        calls.delete(IDENTITY);
    }

    @Override
    public Space space() {
        return capacity.isEmpty()
                ? Space.BOUNDLESS
                : new Space(capacity.getAsLong(), Math.max(0, capacity.getAsLong() - calls.bucket().used()));
    }

    @Override
    public void probe() throws VolumeException, InterruptedException {
        calls.requireOpen();
        check();
        String key = META + "probe/" + mark();
        calls.put(key, new byte[]{1}, NOTHING, mark(), true);
        calls.delete(key);
    }

    @Override
    public void close() {
        calls.close();
    }
}
