package io.entrepot.chaos.pool;

import io.entrepot.pool.Placement;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Where a pool of this scenario is: a directory of links, {@code db} for its books, {@code v0} to {@code v2} for its volumes,
 * {@code in} and {@code kept} for the folders that it watches, and {@code desk} for what is to be put there. They lead to disks, other ones after each power cut, while the pool knows its volumes by the same paths all the time.
 */
record Place(Path directory) {
    /** Larger files are synced one by one, smaller ones together. */
    static final int REDO_LIMIT = 4 << 10;
    static final List<String> VOLUMES = List.of("v0", "v1", "v2");
    /** Sources go when they are imported. */
    static final WatcherId IN = new WatcherId("in");
    /** Sources stay. */
    static final WatcherId KEPT = new WatcherId("kept");
    static final List<WatcherId> FOLDERS = List.of(IN, KEPT);
    private static final String DESK = "desk";
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    private static final Duration AGE = Duration.ofMillis(1);
    static final long HEADROOM = 1 << 20;
    private static final RetryPolicy RETRY = new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(20), 6, true);

    static Place create() throws IOException {
        return new Place(Files.createTempDirectory("entrepot-pool"));
    }

    /**
     * Books and the first volume on one disk, the other volumes and the watched folders on another: syncs of the one do not help
     * the other.
     */
    void lieOn(Path first, Path second) throws IOException {
        lieOn(first, first, second, second);
    }

    void lieOn(Path books, Path firstVolume, Path others, Path folders) throws IOException {
        link("db", books);
        link("v0", firstVolume);
        link("v1", others);
        link("v2", others);
        link(IN.name(), folders);
        link(KEPT.name(), folders);
        link(DESK, folders);
    }

    private void link(String name, Path disk) throws IOException {
        Path link = directory.resolve(name);
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, Files.createDirectories(disk.resolve(name)));
    }

    Path volume(String name) {
        return directory.resolve(name);
    }

    Path folder(WatcherId id) {
        return directory.resolve(id.name());
    }

    /** On the disk of the folders. */
    Path desk() {
        return directory.resolve(DESK);
    }

    PoolConfig config(Duration syncEvery) {
        List<VolumeSpec> volumes = List.of(spec("v0", 2), spec("v1", 0), spec("v2", 1));
        return PoolConfig.in(directory.resolve("db")).withVolumes(volumes)
                .withTenants(List.of(Token.ACME, Token.BETA)).withWatcher(watcher(IN))
                .withWatcher(watcher(KEPT).withPostImport(new PostImport.Keep())).withRedoLimit(REDO_LIMIT)
                .withPlacement(Placement.ROUND_ROBIN).withRetry(RETRY).withSyncEvery(syncEvery)
                .withQueue(QueueConfig.DEFAULT.withMaxDeliveries(1_000))
                .withPlatform(PoolConfig.Platform.system()
                        .withStore(StoreConfig.of().withWalBytes(1 << 20).withHeadroom(HEADROOM)));
    }

    private WatcherSpec watcher(WatcherId id) {
        return WatcherSpec.ofAllTenants(id.name(), folder(id)).withPollingInterval(LOOK_EVERY).withMinFileAge(AGE);
    }

    private VolumeSpec spec(String name, int depth) {
        return VolumeSpec.of(name, volume(name)).withDepth(depth).withHeadroom(HEADROOM);
    }

    /** What the links led to is the disks' own. */
    void forget() throws IOException {
        for (String name : List.of("db", "v0", "v1", "v2", IN.name(), KEPT.name(), DESK)) {
            Files.deleteIfExists(directory.resolve(name));
        }
        Files.deleteIfExists(directory);
    }
}
