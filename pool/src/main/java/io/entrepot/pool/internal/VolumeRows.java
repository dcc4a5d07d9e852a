package io.entrepot.pool.internal;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Location;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which volumes there are, as the main database says. Safe for use by many threads. */
final class VolumeRows {
    private static final List<VolumeState> STATES = List.of(VolumeState.ACTIVE, VolumeState.READ_ONLY,
            VolumeState.DRAINING, VolumeState.SPARE);
    private static final String COLUMNS = "id, name, identity, location, state, depth, headroom, mounted, made";

    private final Store main;

    /** @param made its directory is known to carry the identity; whoever opens it till then makes it */
    record Row(long number, String name, String identity, Location location, VolumeState state, int depth,
            long headroom,
            Instant mounted, boolean made) {

        static Row read(ResultSet row) throws SQLException {
            return new Row(row.getLong(1), row.getString(2), row.getString(3), Location.parse(row.getString(4)),
                    STATES.get(row.getInt(5)), row.getInt(6), row.getLong(7), Instant.ofEpochMilli(row.getLong(8)),
                    row.getInt(9) == 1);
        }

        MountedVolume volume() {
            return new MountedVolume(number, name, location, depth, headroom, mounted, state);
        }
    }

    VolumeRows(Store main) {
        this.main = main;
    }

    /** By the order in which they were mounted. */
    List<Row> all() {
        return main.read(VolumeRows::all);
    }

    private static List<Row> all(Snapshot snapshot) {
        return snapshot.query("SELECT " + COLUMNS + " FROM volume ORDER BY id", Row::read);
    }

    /** Whether files may be named there: it was neither unmounted nor {@linkplain #close closed}. */
    static boolean isThere(Snapshot snapshot, long number) {
        return snapshot.first("SELECT 1 FROM volume WHERE id = ? AND drained = 0", row -> row.getInt(1), number)
                .isPresent();
    }

    /** What was decided of them. */
    static List<Settings.Volume> settings(Snapshot snapshot) {
        return all(snapshot).stream().map(row -> new Settings.Volume(row.number, row.name, row.identity, row.location,
                row.state, row.depth, row.headroom, row.mounted)).toList();
    }

    /** Makes the books say what the settings say; before they are opened. */
    static void restore(Transaction tx, List<Settings.Volume> settings) {
        tx.update("DELETE FROM volume");
        for (Settings.Volume volume : settings) {
            tx.update("INSERT INTO volume (id, name, identity, location, state, depth, headroom, mounted, made)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)", volume.number(), volume.name(), volume.identity(),
                    volume.location().toString(), STATES.indexOf(volume.state()), volume.depth(), volume.headroom(),
                    volume.mounted().toEpochMilli());
            Counter last = new Counter("pool.volume", 0);
            tx.add(last, Math.max(0, volume.number() - tx.count(last)));
        }
    }

    /** It is elsewhere now. */
    static int moved(Transaction tx, long number, Location location) {
        return tx.update("UPDATE volume SET location = ? WHERE id = ?", location.toString(), number);
    }

    /**
     * Writes down what is to be made, before it is: were the directory made first, a crash would leave one whose name nobody
     * knows, and which could never be mounted.
     */
    Row begin(VolumeSpec spec, Location location, String identity) {
        VolumeState state = spec.spare() ? VolumeState.SPARE : VolumeState.ACTIVE;
        return main.write(Owner.SYSTEM, tx -> {
            Optional<Row> known = tx.first("SELECT " + COLUMNS + " FROM volume WHERE name = ?", Row::read, spec.name());
            if (known.filter(Row::made).isPresent()) {
                throw new InvalidSettingException("there is a volume " + spec.name() + " already");
            }
            if (known.filter(row -> row.location.equals(location)).isPresent()) {
                return known.get();
            }
            known.ifPresent(row -> tx.update("DELETE FROM volume WHERE id = ?", row.number));
            Row row = new Row(tx.next(new Counter("pool.volume", 0), 1), spec.name(), identity, location,
                    state, spec.depth(), spec.headroom(), Instant.ofEpochMilli(tx.now()), false);
            tx.update("INSERT INTO volume (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)", row.number, row.name,
                    identity, location.toString(), STATES.indexOf(state), row.depth, row.headroom,
                    row.mounted.toEpochMilli());
            return row;
        });
    }

    void made(Row row) {
        main.write(Owner.SYSTEM, tx -> {
            tx.update("UPDATE volume SET made = 1 WHERE id = ?", row.number);
            tx.publish(Owner.SYSTEM, "volume.mounted", row.name,
                    new Body().with("path", row.location.toString()).toString());
            return true;
        });
    }

    void giveUp(Row row) {
        main.write(Owner.SYSTEM, tx -> tx.update("DELETE FROM volume WHERE id = ? AND made = 0", row.number));
    }

    /**
     * Forgets a volume, unless the main database has files or uploads there: another process may have written some, and whoever
     * does so after this is refused, by {@link #isThere} in his own transaction.
     */
    void remove(MountedVolume volume) {
        main.write(Owner.SYSTEM, tx -> {
            requireEmpty(volume, tx.count(VolumeBook.files(volume.number())));
            long uploads = tx.first("SELECT count(*) FROM upload WHERE volume = ? AND state = 0", row -> row.getLong(1),
                    volume.number()).orElse(0L);
            if (uploads > 0) {
                throw new InvalidSettingException("volume " + volume.name() + " has " + uploads
                        + " uploads under way; drain it first");
            }
            tx.update("DELETE FROM volume WHERE id = ?", volume.number());
            tx.publish(Owner.SYSTEM, "volume.unmounted", volume.name(), "{}");
            return true;
        });
    }

    /**
     * A draining volume without files and uploads is closed: whoever had chosen it before and comes with a file later, in whichever
     * process, is refused by {@link #isThere} in his own transaction. False if it is not as empty as that, or not draining.
     */
    boolean close(MountedVolume volume) {
        return main.write(Owner.SYSTEM, tx -> tx.count(VolumeBook.files(volume.number())) == 0 && tx.update(
                "UPDATE volume SET drained = 1 WHERE id = ? AND state = ?"
                        + " AND NOT EXISTS (SELECT 1 FROM upload WHERE upload.volume = ? AND upload.state = 0)",
                volume.number(), STATES.indexOf(VolumeState.DRAINING), volume.number()) > 0);
    }

    static void requireEmpty(MountedVolume volume, long files) {
        if (files > 0) {
            throw new InvalidSettingException("volume " + volume.name() + " has " + files + " files; drain it first");
        }
    }

    void setState(MountedVolume volume, VolumeState state) {
        main.write(Owner.SYSTEM, tx -> {
            tx.update("UPDATE volume SET state = ?, drained = 0 WHERE id = ?", STATES.indexOf(state), volume.number());
            tx.publish(Owner.SYSTEM, "volume." + state.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    volume.name(), "{}");
            return true;
        });
    }

    void setHeadroom(MountedVolume volume, long headroom) {
        main.write(Owner.SYSTEM, tx -> {
            tx.update("UPDATE volume SET headroom = ? WHERE id = ?", headroom, volume.number());
            tx.publish(Owner.SYSTEM, "volume.headroom", volume.name(),
                    new Body().with("headroom", headroom).toString());
            return true;
        });
    }

    /** Says whether it was a spare: another process may have decided something else. */
    boolean useSpare(MountedVolume volume, long available) {
        return main.write(Owner.SYSTEM, tx -> {
            if (tx.update("UPDATE volume SET state = ?, drained = 0 WHERE id = ? AND state = ?",
                    STATES.indexOf(VolumeState.ACTIVE), volume.number(), STATES.indexOf(VolumeState.SPARE)) == 0) {
                return false;
            }
            tx.publish(Owner.SYSTEM, "volume.active", volume.name(), "{}");
            tx.publish(Owner.SYSTEM, "volume.spare-added", volume.name(),
                    new Body().with("available", available).toString());
            return true;
        });
    }
}
