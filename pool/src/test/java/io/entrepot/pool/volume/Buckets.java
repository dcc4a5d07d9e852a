package io.entrepot.pool.volume;

import io.entrepot.pool.Location;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Brings volumes at {@code bucket:name} and {@code bucket:name/prefix}, for tests. A bucket is made when it is first named. */
public final class Buckets implements BackendProvider {
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();
    private final int page;
    private volatile OptionalLong capacity = OptionalLong.empty();

    public Buckets() {
        this(7);
    }

    /** @param page how many are listed at a time */
    Buckets(int page) {
        this.page = page;
    }

    public Buckets withCapacity(long bytes) {
        capacity = OptionalLong.of(bytes);
        return this;
    }

    public Bucket bucket(String name) {
        return buckets.computeIfAbsent(name, _ -> new Bucket());
    }

    @Override
    public Set<String> schemes() {
        return Set.of("bucket");
    }

    @Override
    public void check(Location location) {
        String rest = rest(location);
        if (rest.startsWith("/") || rest.endsWith("/")) {
            throw new IllegalArgumentException("it is bucket:name or bucket:name/prefix");
        }
    }

    private static String rest(Location location) {
        return ((Location.Elsewhere) location).rest();
    }

    private BucketCalls calls(Location location, String volume) {
        String[] parts = rest(location).split("/", 2);
        return new BucketCalls(bucket(parts[0]), parts.length == 1 ? "" : parts[1] + "/", volume, page);
    }

    @Override
    public Backend open(Location location, Terms terms) throws VolumeException, InterruptedException {
        return BucketBackend.open(calls(location, terms.volume()), terms, capacity);
    }

    @Override
    public Optional<Found> find(Location location, Duration patience) throws VolumeException, InterruptedException {
        BucketCalls calls = calls(location, "at " + location);
        Optional<String> identity = BucketBackend.identity(calls);
        return identity.isEmpty()
                ? Optional.empty()
                : Optional.of(new Found(identity.get(), BucketBackend.content(calls, BucketBackend.SETTINGS)));
    }
}
