package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Doomed files of one volume that cannot be removed although it takes other changes: somebody has made them immutable, say. They
 * are put aside in {@code file_stuck}, told once, and doomed again every hour; the volume is not to blame, and the other
 * files go. Guarded by the volume's keeper.
 */
final class StuckFiles {
    private static final Logger LOG = LoggerFactory.getLogger(StuckFiles.class);
    private static final Duration AGAIN = Duration.ofHours(1);
    private static final int AT_ONCE = 1000;

    private final MountedVolume volume;
    private final Ticker ticker;
    /** When the table was last looked at; in between, nothing is asked of it. */
    private OptionalLong looked = OptionalLong.empty();
    /** There may be some. */
    private boolean some = true;

    private record Stuck(long number, String path) {}

    StuckFiles(MountedVolume volume, Ticker ticker) {
        this.volume = volume;
        this.ticker = ticker;
    }

    /** Whether it is the file that is to blame: the volume works otherwise. */
    static boolean isTheFiles(Backend backend, VolumeException e) throws InterruptedException {
        if (e.kind() != VolumeException.Kind.BROKEN) {
            return false;
        }
        try {
            backend.probe();
            return true;
        } catch (VolumeException worse) {
            return false;
        }
    }

    /** Dooms those again whose time has come. */
    void retry(List<Store> stores) {
        if (looked.isPresent() && ticker.nanos() - looked.getAsLong() < AGAIN.toNanos()) {
            return;
        }
        looked = OptionalLong.of(ticker.nanos());
        some = false;
        for (Store store : stores) {
            try {
                boolean any = store.read(snapshot -> snapshot.first("SELECT 1 FROM file_stuck WHERE volume = ? LIMIT 1",
                        row -> row.getInt(1), volume.number()).isPresent());
                some |= any;
                if (any) {
                    retry(store);
                }
            } catch (StoreException e) { // a shard that cannot be read may have some
                some = true;
                LOG.debug("volume {}: what could not be removed of one tenant is not tried again now", volume.name(),
                        e);
            }
        }
    }

    private void retry(Store store) {
        store.write(Owner.SYSTEM, tx -> {
            List<Stuck> due = tx.query("SELECT id, path FROM file_stuck WHERE volume = ? AND again <= ? ORDER BY id"
                    + " LIMIT ?", row -> new Stuck(row.getLong(1), row.getString(2)), volume.number(), tx.now(),
                    AT_ONCE);
            for (Stuck one : due) {
                tx.update("INSERT INTO file_doomed (id, volume, path) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                        one.number, volume.number(), one.path);
                tx.update("UPDATE file_stuck SET again = ? WHERE volume = ? AND id = ?", tx.now() + AGAIN.toMillis(),
                        volume.number(), one.number);
            }
            return true;
        });
    }

    /** Puts one aside. It is told when that is news. */
    void add(Store store, long number, BlobPath path, VolumeException why) {
        some = true;
        boolean news = store.write(Owner.SYSTEM, tx -> {
            tx.update("DELETE FROM file_doomed WHERE volume = ? AND id = ?", volume.number(), number);
            if (tx.update("INSERT INTO file_stuck (id, volume, path, since, again) VALUES (?, ?, ?, ?, ?)"
                    + " ON CONFLICT DO NOTHING", number, volume.number(), path.toString(), tx.now(),
                    tx.now() + AGAIN.toMillis()) == 0) {
                return false;
            }
            tx.publish(Owners.of(path.tenant()), "file.not-removed", path.key().toString(),
                    new Body().with("volume", volume.name()).with("path", path.toString())
                            .with("why", String.valueOf(why.getMessage())).toString());
            return true;
        });
        if (news) {
            LOG.warn("volume {}: {} is not needed any more and cannot be removed; it is tried every hour: {}",
                    volume.name(), path, why.getMessage());
        }
    }

    /** These are gone: whether or not they were among them. Rows to be deleted in the transaction that follows. */
    List<@Nullable Object[]> gone(List<Long> numbers) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        if (some) {
            numbers.forEach(number -> rows.add(new Object[]{volume.number(), number}));
        }
        return rows;
    }
}
