package io.entrepot.store;

import io.entrepot.store.internal.Backups;
import io.entrepot.store.internal.OwnerLock;
import io.entrepot.store.internal.sqlite.SqliteStore;
import io.entrepot.store.internal.sqlite.SqliteStore.Life;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An embedded data directory: a main database, and one more for each owner that was given a shard of its own, so that
 * damage to it or maintenance of it is nobody else's. It has one owning process.
 *
 * <p>Shards are opened when they are first used. One that cannot be opened fails the calls of its owner and no others.
 * Nothing is transactional across two of them. Safe for use by many threads.
 */
public final class DataDirectory implements AutoCloseable {
    public static final String MAIN = "entrepot.db";
    public static final String SHARDS = "shards";

    private final Path path;
    private final StoreConfig config;
    private final OwnerLock lock;
    private final Store main;
    private final Set<Owner> sharded = ConcurrentHashMap.newKeySet();
    private final Map<Owner, Store> shards = new ConcurrentHashMap<>();

    private DataDirectory(Path path, StoreConfig config, OwnerLock lock, Store main) {
        this.path = path;
        this.config = config;
        this.lock = lock;
        this.main = main;
    }

    /** Opens the directory, and makes it if there is none. */
    public static DataDirectory open(Path path, StoreConfig config) {
        return open(path, config, Life.SAME);
    }

    private static DataDirectory open(Path path, StoreConfig config, Life life) {
        OwnerLock lock = OwnerLock.acquire(path);
        try {
            Store main = SqliteStore.open(path.resolve(MAIN), config, life);
            DataDirectory directory = new DataDirectory(path, config, lock, main);
            directory.sharded.addAll(main.read(snapshot -> snapshot.query("SELECT owner FROM shard",
                    row -> new Owner(row.getString(1)))));
            return directory;
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    public Path path() {
        return path;
    }

    public Store main() {
        return main;
    }

    /** Where this owner's data is: its own shard if it has one, the main database otherwise. */
    public Store store(Owner owner) {
        return sharded.contains(owner) ? shards.computeIfAbsent(owner, this::openShard) : main;
    }

    public Set<Owner> sharded() {
        return Set.copyOf(sharded);
    }

    /**
     * Gives an owner a shard of its own. Only for an owner that has no data yet: what is in the main database stays
     * there and would no longer be found.
     */
    public Store giveShard(Owner owner) {
        Store shard = shards.computeIfAbsent(owner, this::openShard);
        main.write(Owner.SYSTEM, tx -> tx.update("INSERT INTO shard (owner, at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                owner.name(), tx.now()));
        sharded.add(owner);
        return shard;
    }

    private Store openShard(Owner owner) {
        Path directory = path.resolve(SHARDS);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw NotDoneException.notWritable("cannot make " + directory + ": " + e.getMessage(), e);
        }
        return SqliteStore.open(directory.resolve(owner.name() + ".db"),
                config.withReaders(Math.min(2, config.readers())),
                Life.SAME);
    }

    /** Writes a consistent copy of every database into a new directory, while everything else goes on. */
    public void backup(Path target) {
        Map<String, Store> stores = new TreeMap<>();
        stores.put(MAIN, main);
        sharded.forEach(owner -> stores.put(SHARDS + "/" + owner + ".db", store(owner)));
        Backups.write(target, stores, config.wall().instant());
    }

    /**
     * Makes a new data directory from a backup: a new incarnation, in which no lease from before is valid. Refused if
     * there is something at the path already, or if the backup is not what it was when it was written.
     */
    public static void restore(Path backup, Path path, StoreConfig config) {
        Backups.restore(backup, path, copy -> {
            try (DataDirectory restored = open(copy, config, Life.RESTORED)) {
                for (Owner owner : restored.sharded()) {
                    SqliteStore.open(copy.resolve(SHARDS).resolve(owner.name() + ".db"), config, Life.RESTORED).close();
                }
            }
        });
    }

    @Override
    public void close() {
        shards.values().forEach(Store::close);
        main.close();
        lock.close();
    }
}
