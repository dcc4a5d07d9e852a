package io.entrepot.server.access;

import io.entrepot.store.Owner;
import io.entrepot.store.Schema;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The keys, in the pool's database. Each request is checked against an image in memory, which is replaced whole by every change;
 * changes of other servers on the same database come by notice, and by looking now and then. When a key was last used is written
 * down now and then.
 *
 * <p>Safe for use by many threads: the image is immutable, and changes are made one at a time.
 */
public final class Keys implements AutoCloseable {
    /** The tables of the server. */
    public static final Schema SCHEMA = new Schema("server", Keys.class, 1);
    private static final String CHANGED = "server-keys";
    /** In the table of what the store knows of itself: the life of the data that the keys are of. */
    private static final String LIFE = "server.keys.incarnation";
    private static final String COLUMNS = "id, name, hash, scopes, created, expires, last_used, revoked";
    /** Compared with when there is no such key, so that the answer takes as long. */
    private static final byte[] NO_HASH = new byte[32];

    private final Store store;
    private final InstantSource wall;
    private final Map<String, Instant> uses = new ConcurrentHashMap<>();
    /** Good until this process ends, and never written to the database. */
    private final Map<String, Kept> passing = new ConcurrentHashMap<>();
    private volatile Map<String, Kept> image = Map.of();

    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    private record Kept(Key key, byte[] hash) {}

    public Keys(Store store, InstantSource wall) {
        this.store = store;
        this.wall = wall;
        holdRestored();
        load();
        store.listen(message -> {
            if (message.equals(CHANGED)) {
                Thread.startVirtualThread(this::load); // must not call the store on the store's thread
            }
        });
    }

    /**
     * A backup does not know which of its keys were revoked since. So after a restore all of them are held until somebody enables
     * them, whoever did the restoring: it is told by the life of the data, which is a new one.
     */
    private void holdRestored() {
        String life = store.incarnation().toString();
        store.write(Owner.SYSTEM, tx -> {
            Optional<String> known = tx.first("SELECT value FROM meta WHERE key = ?", row -> row.getString(1), LIFE);
            if (known.filter(life::equals).isEmpty() && (known.isPresent() || store.incarnation().number() > 1)) {
                tx.update("UPDATE server_key SET revoked = ? WHERE revoked IS NULL", Key.HELD.toEpochMilli());
            }
            return tx.update("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                    LIFE, life);
        });
    }

    /** Takes held ones into use again: those named, or all if none is. Says which they were. */
    public synchronized List<Key> enable(Set<String> ids) {
        List<Key> held = list().stream().filter(Key::isHeld).filter(key -> ids.isEmpty() || ids.contains(key.id()))
                .toList();
        store.write(Owner.SYSTEM, tx -> {
            tx.tell(CHANGED);
            held.forEach(key -> tx.update("UPDATE server_key SET revoked = NULL WHERE id = ? AND revoked = ?", key
                    .id(), Key.HELD.toEpochMilli()));
            return true;
        });
        load();
        return held.stream().flatMap(key -> find(key.id()).stream()).toList();
    }

    /** What other servers have changed, if a notice was lost. */
    public synchronized void load() {
        List<Kept> rows = store.read(Keys::all);
        Map<String, Kept> next = new LinkedHashMap<>();
        rows.forEach(kept -> next.put(kept.key.id(), kept));
        image = Map.copyOf(next);
    }

    private static List<Kept> all(Snapshot snapshot) {
        return snapshot.query("SELECT " + COLUMNS + " FROM server_key", Keys::read);
    }

    /** There is none, or those of administrators came back with a backup: then nobody could do anything. */
    public boolean needAnAdministrator() {
        boolean held = image.values().stream().anyMatch(kept -> kept.key.isHeld());
        return image.isEmpty() || (held && image.values().stream().map(Kept::key)
                .noneMatch(key -> key.isGood(wall.instant()) && key.scopes().contains(Scope.ADMIN)));
    }

    /** Makes one; its secret is known to the caller alone from now on. */
    public synchronized Secret create(String name, Set<Scope> scopes, Optional<Instant> expires) {
        Secret secret = Secret.random();
        byte[] hash = secret.hash();
        String words = scopes.stream().map(Scope::toString).sorted().collect(Collectors.joining(" "));
        store.write(Owner.SYSTEM, tx -> {
            tx.tell(CHANGED);
            return tx.update("INSERT INTO server_key (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)",
                    secret.id(), name, hash, words, wall.instant().toEpochMilli(),
                    expires.map(Instant::toEpochMilli).orElse(null));
        });
        load();
        return secret;
    }

    /** One for this process alone, that ends with it. */
    public Secret createPassing(String name, Set<Scope> scopes) {
        Secret secret = Secret.random();
        passing.put(secret.id(), new Kept(new Key(secret.id(), name, scopes, wall.instant(), Optional.empty(),
                Optional.empty(), Optional.empty()), secret.hash()));
        return secret;
    }

    /** From now on it is refused. Says whether there is such a key. */
    public synchronized boolean revoke(String id) {
        int changed = store.write(Owner.SYSTEM, tx -> {
            tx.tell(CHANGED);
            return tx.update("UPDATE server_key SET revoked = COALESCE(NULLIF(revoked, ?), ?) WHERE id = ?",
                    Key.HELD.toEpochMilli(), wall.instant().toEpochMilli(), id);
        });
        load();
        return changed > 0;
    }

    /** Takes a revoked or expired one out of the books. Says whether it did. */
    public synchronized boolean forget(String id) {
        int changed = store.write(Owner.SYSTEM, tx -> tx.update("DELETE FROM server_key WHERE id = ? AND"
                + " (revoked IS NOT NULL OR expires <= ?)", id, wall.instant().toEpochMilli()));
        load();
        return changed > 0;
    }

    /** By when they were made. */
    public List<Key> list() {
        return image.values().stream().map(this::shown)
                .sorted(Comparator.comparing(Key::created).thenComparing(Key::id)).toList();
    }

    public Optional<Key> find(String id) {
        return Optional.ofNullable(image.get(id)).map(this::shown);
    }

    private Key shown(Kept kept) {
        return kept.key.used(Optional.ofNullable(uses.get(kept.key.id())));
    }

    /** Whose that is, if it is good. */
    public Optional<Identity> identify(String written) {
        Optional<Secret> secret = Secret.parse(written);
        Optional<Kept> kept = secret.flatMap(it -> kept(it.id()));
        byte[] hash = secret.map(Secret::hash).orElse(NO_HASH);
        boolean same = MessageDigest.isEqual(kept.map(Kept::hash).orElse(NO_HASH), hash);
        if (!same || kept.isEmpty() || !kept.get().key.isGood(wall.instant())) {
            return Optional.empty();
        }
        uses.put(kept.get().key.id(), wall.instant());
        return kept.map(it -> it.key.identity());
    }

    /** Whether that key, which was good, still is: for what goes on for long. */
    public boolean isGood(String id) {
        return kept(id).filter(it -> it.key.isGood(wall.instant())).isPresent();
    }

    private Optional<Kept> kept(String id) {
        return Optional.ofNullable(image.get(id)).or(() -> Optional.ofNullable(passing.get(id)));
    }

    /** Writes down when keys were last used. */
    public void writeUses() {
        Map<String, Instant> now = Map.copyOf(uses);
        if (now.isEmpty()) {
            return;
        }
        store.write(Owner.SYSTEM, tx -> {
            now.forEach((id, at) -> tx.update("UPDATE server_key SET last_used = ? WHERE id = ? AND"
                    + " (last_used IS NULL OR last_used < ?)", at.toEpochMilli(), id, at.toEpochMilli()));
            return true;
        });
        load();
        now.forEach(uses::remove);
    }

    @Override
    public void close() {
        writeUses();
    }

    private static Kept read(ResultSet row) throws SQLException {
        Set<Scope> scopes = Arrays.stream(row.getString(4).split(" ", -1)).map(Scope::parse)
                .collect(Collectors.toUnmodifiableSet());
        return new Kept(new Key(row.getString(1), row.getString(2), scopes, Instant.ofEpochMilli(row.getLong(5)),
                time(row, 6), time(row, 7), time(row, 8)), row.getBytes(3));
    }

    private static Optional<Instant> time(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        OptionalLong value = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(millis);
        return value.isPresent() ? Optional.of(Instant.ofEpochMilli(value.getAsLong())) : Optional.empty();
    }
}
