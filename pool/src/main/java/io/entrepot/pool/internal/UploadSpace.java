package io.entrepot.pool.internal;

import io.entrepot.pool.UploadId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What uploads need while nobody adds to them: the room that their next pieces will take is kept free, and bytes that have
 * their name already are no orphans. Only in memory, made anew from the rows. Safe for use by many threads.
 */
final class UploadSpace {
    private final VolumeBook volumes;
    private final LiveWrites live;
    private final Map<UploadId, Kept> kept = new ConcurrentHashMap<>();

    private record Kept(Optional<MountedVolume.Room> room, Optional<LiveWrites.Live> key) {

        void close() {
            room.ifPresent(MountedVolume.Room::close);
            key.ifPresent(LiveWrites.Live::close);
        }
    }

    UploadSpace(VolumeBook volumes, LiveWrites live) {
        this.volumes = volumes;
        this.live = live;
    }

    /** As the row says. */
    void keep(UploadRow row) {
        kept.compute(row.id(), (_, before) -> {
            if (before != null) {
                before.close();
            }
            return new Kept(volumes.find(row.volume()).map(volume -> volume.room(row.reserved() - row.size())),
                    row.plan().map(plan -> live.enter(plan.key())));
        });
    }

    void forget(UploadId id) {
        kept.computeIfPresent(id, (_, before) -> {
            before.close();
            return null;
        });
    }

    /** As all rows say: other processes may have begun and ended uploads. */
    void keepOnly(List<UploadRow> rows) {
        Set<UploadId> there = rows.stream().map(UploadRow::id).collect(Collectors.toSet());
        kept.keySet().stream().filter(id -> !there.contains(id)).toList().forEach(this::forget);
        rows.forEach(this::keep);
    }
}
