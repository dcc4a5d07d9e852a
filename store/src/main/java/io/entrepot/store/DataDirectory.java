package io.entrepot.store;

import io.entrepot.store.internal.Backups;
import io.entrepot.store.internal.Durable;
import io.entrepot.store.internal.OwnerLock;
import io.entrepot.store.internal.Replacement;
import io.entrepot.store.internal.sqlite.Headroom;
import io.entrepot.store.internal.sqlite.SqliteStore;
import io.entrepot.store.internal.sqlite.SqliteStore.Life;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An embedded data directory: a main database, and one more for each owner that was given a shard of its own, so that
 * damage to it or maintenance of it is nobody else's. It has one owning process.
 *
 * <p>Shards are opened when they are first used. One that cannot be opened fails the calls of its owner and no others.
 * Nothing is transactional across two of them. Safe for use by many threads.
 */
public final class DataDirectory implements Stores, AutoCloseable {
    public static final String MAIN = "entrepot.db";
    public static final String SHARDS = "shards";

    private final Path path;
    private final StoreConfig config;
    private final OwnerLock lock;
    private final Headroom headroom;
    private final Store main;
    private final Set<Owner> sharded = ConcurrentHashMap.newKeySet();
    private final Map<Owner, Shard> shards = new ConcurrentHashMap<>();
    private final ReentrantLock backingUp = new ReentrantLock();
    private volatile boolean closed;

    /** One owner's shard, opened at most once at a time; others do not wait for it. Guarded by itself. */
    private final class Shard {
        private final Owner owner;
        private @Nullable Store store;

        Shard(Owner owner) {
            this.owner = owner;
        }

        /** INVARIANT: whoever closes the directory comes after {@code closed} is set, so nothing is opened after it. */
        synchronized Store open(Life life) {
            if (closed) {
                throw new StoreClosedException("the data directory " + path + " has been closed", null);
            }
            Store open = store;
            if (open == null) {
                open = SqliteStore.open(shardFile(path, owner), config.withReaders(Math.min(2, config.readers())),
                        life, headroom);
                store = open;
            }
            return open;
        }

        synchronized Store replace(Path aside, Optional<Path> backup) {
            close();
            store = null;
            Replacement.replace(path, SHARDS + "/" + owner + ".db", aside, backup,
                    copy -> SqliteStore.open(copy, config, Life.RESTORED).close());
            return open(Life.ANY);
        }

        synchronized void close() {
            if (store != null) {
                store.close();
            }
        }
    }

    private DataDirectory(Path path, StoreConfig config, OwnerLock lock, Headroom headroom, Store main) {
        this.path = path;
        this.config = config;
        this.lock = lock;
        this.headroom = headroom;
        this.main = main;
    }

    /** Opens the directory, and makes it if there is none. */
    public static DataDirectory open(Path path, StoreConfig config) {
        return open(path, config, Life.ANY);
    }

    private static DataDirectory open(Path path, StoreConfig config, Life life) {
        OwnerLock lock = OwnerLock.acquire(path);
        try {
            Headroom headroom = Headroom.of(path, config); // first: on a full disk, opening needs the reserve
            Store main = SqliteStore.open(path.resolve(MAIN), config, life, headroom);
            try {
                DataDirectory directory = new DataDirectory(path, config, lock, headroom, main);
                directory.sharded.addAll(directory.listed());
                return directory;
            } catch (RuntimeException | Error e) {
                main.close();
                throw e;
            }
        } catch (RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** Who has a shard by the main database. */
    private List<Owner> listed() {
        return main.read(snapshot -> snapshot.query("SELECT owner FROM shard", row -> new Owner(row.getString(1))));
    }

    public Path path() {
        return path;
    }

    @Override
    public Store main() {
        return main;
    }

    /** Its own shard if it has one, the main database otherwise. */
    @Override
    public Store store(Owner owner) {
        return sharded.contains(owner) ? shard(owner).open(Life.SAME) : main;
    }

    private Shard shard(Owner owner) {
        return shards.computeIfAbsent(owner, Shard::new);
    }

    @Override
    public Set<Owner> sharded() {
        return Set.copyOf(sharded);
    }

    /**
     * Gives an owner a shard of its own. Only for an owner that has no data yet: what is in the main database stays
     * there and would no longer be found.
     */
    public Store giveShard(Owner owner) {
        if (sharded.contains(owner)) {
            return store(owner);
        }
        main.requireRoom();
        try {
            Files.createDirectories(path.resolve(SHARDS));
        } catch (IOException e) {
            throw Durable.notDone("cannot make " + path.resolve(SHARDS), e);
        }
        Store shard = shard(owner).open(Life.ANY);
        main.write(Owner.SYSTEM, tx -> tx.update("INSERT INTO shard (owner, at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                owner.name(), tx.now()));
        sharded.add(owner);
        return shard;
    }

    private static Path shardFile(Path directory, Owner owner) {
        return directory.resolve(SHARDS).resolve(owner.name() + ".db");
    }

    /** Writes a consistent copy of every database into a new directory, while everything else goes on. */
    public void backup(Path target) {
        backingUp.lock();
        try {
            Backups.write(target, config.wall().instant(), copies -> {
                // The main database first, and then whatever it lists by now: a shard that the copy lists is among them.
                copies.add(MAIN, main::backup);
                listed().forEach(owner -> copies.add(SHARDS + "/" + owner + ".db",
                        shard(owner).open(Life.SAME)::backup));
            });
        } finally {
            backingUp.unlock();
        }
    }

    /**
     * Makes a new data directory from a backup: a new incarnation, in which no lease from before is valid. Refused if
     * there is something at the path already, or if the backup is not what it was when it was written.
     */
    public static void restore(Path backup, Path path, StoreConfig config) {
        Backups.restore(backup, path, copy -> {
            Set<Path> listed = new HashSet<>();
            try (DataDirectory restored = open(copy, config, Life.RESTORED)) {
                for (Owner owner : restored.sharded()) {
                    SqliteStore.open(shardFile(copy, owner), config, Life.RESTORED).close();
                    listed.add(shardFile(copy, owner));
                }
            }
            removeUnlisted(copy.resolve(SHARDS), listed);
        });
    }

    /** Whether a backup is there; not whether it is whole. */
    public static boolean isBackup(Path path) {
        return Backups.time(path).isPresent();
    }

    /** The backups that are in a directory, the newest first; what is none is left out. */
    public static List<Path> backupsIn(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(path -> Backups.time(path).isPresent())
                    .sorted(Comparator.comparing((Path path) -> Backups.time(path).orElseThrow()).reversed())
                    .toList();
        } catch (IOException e) {
            throw Durable.notDone("cannot look for backups in " + directory, e);
        }
    }

    /**
     * Puts another main database into the place of one that is damaged or gone: that of a backup, as a new incarnation, or
     * none, so that the next opening makes an empty one. What is there is moved to {@code aside} and kept. Shards stay as
     * they are; those that the new one does not know can be given again with {@link #giveShard}, and keep their data.
     */
    public static void replaceMain(Path path, Path aside, Optional<Path> backup, StoreConfig config) {
        OwnerLock lock = OwnerLock.acquire(path);
        try {
            Replacement.replace(path, MAIN, aside, backup,
                    copy -> SqliteStore.open(copy, config, Life.RESTORED).close());
        } finally {
            lock.close();
        }
    }

    /**
     * The same for an owner's shard, while the others are in use: that of a backup, or an empty one. Calls of that owner fail
     * meanwhile.
     */
    public Store replaceShard(Owner owner, Path aside, Optional<Path> backup) {
        Store replaced = shard(owner).replace(aside, backup);
        main.write(Owner.SYSTEM, tx -> tx.update("INSERT INTO shard (owner, at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                owner.name(), tx.now()));
        sharded.add(owner);
        return replaced;
    }

    /** A shard that was given while the backup was under way may be in it although the main database is older. */
    private static void removeUnlisted(Path shards, Set<Path> listed) {
        if (Files.isDirectory(shards)) {
            try (Stream<Path> files = Files.list(shards)) {
                for (Path file : files.filter(file -> !listed.contains(file)).toList()) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw NotDoneException.io("cannot remove a shard that nobody has: " + e, e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        shards.values().forEach(Shard::close);
        main.close();
        lock.close(); // last: until now nobody else may open what we still write
    }
}
