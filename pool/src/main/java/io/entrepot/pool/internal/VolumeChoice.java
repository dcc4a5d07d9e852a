package io.entrepot.pool.internal;

import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.Placement;
import io.entrepot.pool.StorageVolumeUnavailableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

    /**
     * Room for so many bytes, on the one that the policy prefers. Nothing if none has as much, or only some that were found full
     * although space seems free.
     */
    Optional<MountedVolume.Room> find(Collection<MountedVolume> volumes, long bytes, List<MountedVolume> except) {
        while (true) {
            List<MountedVolume> proven = proven(volumes, bytes, except);
            if (proven.isEmpty()) {
                return Optional.empty();
            }
            Optional<MountedVolume.Room> room = taken(proven, bytes);
            if (room.isPresent()) {
                return room;
            }
        }
    }

    /** The same where it has to be, also on one that was found full: it may not be so any longer. */
    MountedVolume.Room room(Collection<MountedVolume> volumes, long bytes, List<MountedVolume> except) {
        while (true) {
            List<MountedVolume> takers = takers(volumes, except);
            if (takers.isEmpty() && volumes.stream().noneMatch(volume -> isTooFull(volume, bytes))) {
                throw new StorageVolumeUnavailableException("no volume takes files now: " + troubles(volumes));
            }
            List<MountedVolume> proven = proven(volumes, bytes, except);
            List<MountedVolume> roomy = proven.isEmpty() ? roomy(takers, bytes) : proven;
            if (roomy.isEmpty()) {
                throw new InsufficientStorageException("no volume has room for " + bytes + " bytes: "
                        + troubles(volumes));
            }
            Optional<MountedVolume.Room> room = taken(roomy, bytes);
            if (room.isPresent()) {
                return room.get();
            }
        }
    }

    boolean hasRoom(Collection<MountedVolume> volumes, long bytes, List<MountedVolume> except) {
        return !proven(volumes, bytes, except).isEmpty();
    }

    /** Whether that is all that is wrong with it. */
    private static boolean isTooFull(MountedVolume volume, long bytes) {
        return volume.takesFiles() && (volume.isFull() || volume.available() < bytes);
    }

    /** Asked again with the room taken: whoever stops the volume sees the room, or is seen here. */
    private Optional<MountedVolume.Room> taken(List<MountedVolume> roomy, long bytes) {
        MountedVolume.Room room = byPolicy(roomy).room(bytes);
        if (room.volume().takesFiles()) {
            return Optional.of(room);
        }
        room.close();
        return Optional.empty();
    }

    private static List<MountedVolume> proven(Collection<MountedVolume> volumes, long bytes,
            List<MountedVolume> except) {
        return roomy(takers(volumes, except), bytes).stream().filter(volume -> !volume.isFull()).toList();
    }

    private static List<MountedVolume> takers(Collection<MountedVolume> volumes, List<MountedVolume> except) {
        return volumes.stream().filter(MountedVolume::takesFiles).filter(volume -> !except.contains(volume)).toList();
    }

    private static List<MountedVolume> roomy(List<MountedVolume> takers, long bytes) {
        return takers.stream().filter(volume -> volume.available() >= bytes).toList();
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
                        .orElseGet(() -> volume.isFull()
                                ? "found full"
                                : Math.max(0, volume.available()) + " bytes available")));
        return each.isEmpty() ? "none is mounted" : String.join("; ", each);
    }
}
