package io.entrepot.pool.internal;

import io.entrepot.pool.volume.BlobPath;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Since when bytes are known that no file has. The storage's own clock may be wrong by hours, and then a file that is just being
 * written by another process looks old; so they must have been seen before, by our clock, which survives restarts. Safe for
 * use by many threads.
 */
final class Sightings {
    private final Store main;

    private record Seen(String path, long at) {}

    Sightings(Store main) {
        this.main = main;
    }

    /** For how long each of them is known, in milliseconds. */
    Map<String, Long> known(MountedVolume volume, List<BlobPath> paths) {
        if (paths.isEmpty()) {
            return Map.of();
        }
        return main.write(Owner.SYSTEM, tx -> {
            List<@Nullable Object[]> rows = new ArrayList<>(paths.size());
            List<@Nullable Object[]> asked = new ArrayList<>(paths.size());
            for (BlobPath path : paths) {
                rows.add(new Object[]{volume.number(), path.toString(), tx.now(), tx.now()});
                asked.add(new Object[]{path.toString()});
            }
            tx.updateEach("INSERT INTO orphan (volume, path, seen, looked) VALUES $rows"
                    + " ON CONFLICT (volume, path) DO UPDATE SET looked = excluded.looked", rows);
            Map<String, Long> known = new HashMap<>();
            tx.queryEach("SELECT path, seen FROM orphan WHERE path IN (VALUES $rows) AND volume = ?",
                    row -> new Seen(row.getString(1), row.getLong(2)), asked, volume.number())
                    .forEach(seen -> known.put(seen.path, tx.now() - seen.at));
            return known;
        });
    }

    /** Those that were not met since then are not there any more. */
    void forgetOthers(MountedVolume volume, long since) {
        main.write(Owner.SYSTEM, tx -> tx.update("DELETE FROM orphan WHERE volume = ? AND looked < ?",
                volume.number(), since));
    }

    long now() {
        return main.read(snapshot -> snapshot.now());
    }
}
