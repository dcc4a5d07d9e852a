package io.entrepot.pool.internal;

import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.Placement;
import io.entrepot.pool.StorageVolumeUnavailableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** Which of the volumes gets a new file. Safe for use by many threads. */
final class VolumeChoice {
    private volatile Placement placement;
    private final AtomicLong turn = new AtomicLong();

    VolumeChoice(Placement placement) {
        this.placement = placement;
    }

    void use(Placement value) {
        placement = value;
    }

    /** Room for so many bytes, on the one that the policy prefers. */
    MountedVolume.Room room(Collection<MountedVolume> volumes, long bytes, List<MountedVolume> except) {
        while (true) {
            MountedVolume.Room room = preferred(volumes, bytes, except).room(bytes);
            // Asked again with the room taken: whoever stops the volume sees the room, or is seen here.
            if (room.volume().takesFiles()) {
                return room;
            }
            room.close();
        }
    }

    private MountedVolume preferred(Collection<MountedVolume> volumes, long bytes, List<MountedVolume> except) {
        List<MountedVolume> takers = volumes.stream().filter(MountedVolume::takesFiles)
                .filter(volume -> !except.contains(volume)).toList();
        if (takers.isEmpty()) {
            throw new StorageVolumeUnavailableException("no volume takes files now: " + troubles(volumes));
        }
        List<MountedVolume> roomy = takers.stream().filter(volume -> volume.available() >= bytes).toList();
        if (roomy.isEmpty()) {
            throw new InsufficientStorageException("no volume has room for " + bytes + " bytes: " + troubles(volumes));
        }
        List<MountedVolume> proven = roomy.stream().filter(volume -> !volume.isFull()).toList();
        return byPolicy(proven.isEmpty() ? roomy : proven);
    }

    private MountedVolume byPolicy(List<MountedVolume> roomy) {
        return switch (placement) {
            case MOST_FREE -> roomy.stream().max(Comparator.comparingLong(MountedVolume::available)).orElseThrow();
            case LEAST_USED -> roomy.stream().min(Comparator.comparingDouble(MountedVolume::used)).orElseThrow();
            case ROUND_ROBIN -> roomy.get((int) (turn.getAndIncrement() % roomy.size()));
        };
    }

    private static String troubles(Collection<MountedVolume> volumes) {
        List<String> each = new ArrayList<>();
        volumes.forEach(volume -> each.add(volume.name() + " is "
                + volume.state().name().toLowerCase(Locale.ROOT) + ", " + volume.problem()
                        .orElseGet(() -> Math.max(0, volume.available()) + " bytes available")));
        return each.isEmpty() ? "none is mounted" : String.join("; ", each);
    }
}
