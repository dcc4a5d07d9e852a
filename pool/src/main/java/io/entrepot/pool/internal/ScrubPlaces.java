package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far a scrub has come, in each store on each volume, durably: one that was cut short is gone on with. It is only written now
 * and then, so some files may be read twice. For one thread.
 */
final class ScrubPlaces {
    private static final Logger LOG = LoggerFactory.getLogger(ScrubPlaces.class);
    private static final long EVERY = Duration.ofSeconds(5).toNanos();
    private static final String COLUMNS = "volume, after, begun, files, bytes, damaged";
    /** Of a volume that is done. */
    static final long END = Long.MAX_VALUE;

    private final Ticker ticker;
    private final Instant begun;
    private long kept;

    /** @param after the number of the last file that was read */
    record Place(long after, Instant begun, long files, long bytes, long damaged) {}

    ScrubPlaces(Ticker ticker, Instant begun) {
        this.ticker = ticker;
        this.begun = begun;
        this.kept = ticker.nanos();
    }

    /** Nothing if it has not come there. */
    static Optional<Place> find(Realm realm, MountedVolume volume) {
        return realm.store().read(snapshot -> snapshot.first("SELECT " + COLUMNS + " FROM scrub_place WHERE volume = ?",
                row -> new Place(row.getLong(2), Instant.ofEpochMilli(row.getLong(3)), row.getLong(4), row.getLong(5),
                        row.getLong(6)),
                volume.number()));
    }

    /** Of those volumes that are there. */
    static List<Place> all(List<Realm> realms, List<MountedVolume> volumes) {
        List<Place> places = new ArrayList<>();
        realms.forEach(realm -> volumes.forEach(volume -> find(realm, volume).ifPresent(places::add)));
        return places;
    }

    /** The next one begins anew. */
    static void clear(List<Realm> realms) {
        realms.forEach(realm -> realm.store().write(Owner.SYSTEM, tx -> tx.update("DELETE FROM scrub_place")));
    }

    boolean isDue() {
        return ticker.nanos() - kept >= EVERY;
    }

    /** If it cannot be kept, some files are read once more. */
    void keep(Realm realm, MountedVolume volume, long after, long files, long bytes, long damaged) {
        kept = ticker.nanos();
        try {
            realm.store().write(Owner.SYSTEM, tx -> tx.update("INSERT INTO scrub_place (" + COLUMNS
                    + ") VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (volume) DO UPDATE SET after = excluded.after,"
                    + " begun = excluded.begun, files = excluded.files, bytes = excluded.bytes,"
                    + " damaged = excluded.damaged", volume.number(), after, begun.toEpochMilli(), files, bytes,
                    damaged));
        } catch (StoreException e) {
            LOG.warn("how far the scrub has come on volume {} could not be written down: {}", volume.name(),
                    e.getMessage());
        }
    }
}
