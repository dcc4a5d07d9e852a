package io.entrepot.store.internal.sqlite;

import io.entrepot.lease.Ticker;
import io.entrepot.store.FreeSpace;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Room;
import io.entrepot.store.Room.Level;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.internal.Durable;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the disk of a data directory has left, and what may be done with that, for all databases in it.
 *
 * <p>With less than the headroom, what adds is refused; what frees or finishes goes on from the headroom, or a full disk could
 * not be emptied by those who have filled it. With less than the {@linkplain #floor floor} nothing is begun any more, as a commit that
 * runs out of space may leave its outcome unknown. Others can fill the disk too, and heed no headroom: so whoever has to write then is given the
 * {@linkplain Reserve reserve}. It is taken up again when there is room for it above the headroom. That is
 * also when what adds is let in again, so that a disk around the edge does not change its mind all the time.
 *
 * <p>The disk is asked every 10 ms at most, while it has room; what can be written in that time is little beside the headroom. Safe for
 * use by many threads: guarded by itself, and what was seen last is published by a volatile write.
 */
public final class Headroom {
    private static final Logger LOG = LoggerFactory.getLogger(Headroom.class);
    static final String FILE = "entrepot.reserve";
    private static final long BELIEVED_NANOS = 10_000_000;
    private static final long MOST_RESERVE = 4L << 20;
    private static final long HIGHEST_FLOOR = 256L << 10;
    private static final long KIBIBYTE = 1 << 10;
    private static final long MEBIBYTE = 1 << 20;
    private static final Ticker REAL = Ticker.system();

    private final Path directory;
    private final FileStore disk;
    private final FreeSpace space;
    private final long headroom;
    private final Reserve reserve;
    /** The reserve, if it is there. */
    private long held;
    /** Whether the reserve is to be taken up when there is room. */
    private boolean reserveIsWanted;
    private volatile Seen seen;

    private record Seen(Room room, long at) {}

    private Headroom(Path directory, StoreConfig config, long reserved) throws IOException {
        this.directory = directory;
        this.disk = Files.getFileStore(directory);
        this.space = config.space();
        this.headroom = config.headroom();
        this.reserve = new Reserve(directory.resolve(FILE), reserved);
        this.held = reserve.isThere() ? reserved : 0;
        this.reserveIsWanted = held < reserved;
        this.seen = new Seen(new Room(Level.ENOUGH, Long.MAX_VALUE, headroom), 0);
        look(REAL.nanos(), true); // to open it takes room
    }

    /** Of a data directory that is there, with a reserve. */
    public static Headroom of(Path directory, StoreConfig config) {
        return of(directory, config, margin(config.headroom()));
    }

    /** Of the directory of a single file, or of what there is of the path to it. */
    static Headroom around(Path file, StoreConfig config) {
        Path there = file.toAbsolutePath();
        for (Path up = there.getParent(); up != null && !Files.isDirectory(there); up = up.getParent()) {
            there = up;
        }
        return of(there, config, 0);
    }

    private static Headroom of(Path directory, StoreConfig config, long reserved) {
        try {
            return new Headroom(directory, config, reserved);
        } catch (IOException e) {
            throw Durable.notDone("cannot see how full the disk of " + directory + " is", e);
        }
    }

    /** With less, nothing is begun. */
    static long floor(long headroom) {
        return Math.min(headroom / 64, HIGHEST_FLOOR);
    }

    /** So much more than the headroom is free when what adds is let in again: the reserve, if it was given back. */
    static long margin(long headroom) {
        return Math.min(headroom / 4, MOST_RESERVE);
    }

    /** What is done with so many free bytes, and so many held in reserve. */
    static Level level(long free, long held, long headroom, Level before) {
        if (free < floor(headroom) - held) {
            return Level.FULL;
        }
        return free - (before == Level.ENOUGH ? 0 : margin(headroom)) < headroom ? Level.SHORT : Level.ENOUGH;
    }

    /** As it is now, or was a moment ago when there was room. */
    Room room() {
        Seen last = seen;
        long now = REAL.nanos();
        return last.room.isEnough() && now - last.at < BELIEVED_NANOS ? last.room : look(now, false);
    }

    /** As it was when somebody looked last. */
    Level lately() {
        return seen.room.level();
    }

    /** For whoever adds something. */
    void requireRoom() {
        Room room = room();
        if (!room.isEnough()) {
            throw NotDoneException.diskFull(left(room) + ", and " + text(headroom)
                    + " are kept for finishing and removing; nothing was changed. Complete or remove something, clean"
                    + " up, or free space by other means, and try again", null);
        }
    }

    /** For whoever writes anything: that is what the reserve is for. */
    void requireAny() {
        Room room = room();
        if (room.free() < floor(headroom)) {
            room = look(REAL.nanos(), true);
        }
        if (room.level() == Level.FULL) {
            throw NotDoneException.diskFull(left(room) + ", which is too little to write anything; nothing was changed."
                    + " Free some space and try again", null);
        }
    }

    private String left(Room room) {
        return "the disk of " + directory + " has " + text(room.free()) + " left";
    }

    private static String text(long bytes) {
        if (bytes < KIBIBYTE) {
            return bytes + " bytes";
        }
        return bytes < MEBIBYTE
                ? bytes / KIBIBYTE + " KiB"
                : String.format(Locale.ROOT, "%.1f MiB", (double) bytes / MEBIBYTE);
    }

    /** @param writes whether somebody needs room now: until then the reserve is safe from others who fill the disk */
    private synchronized Room look(long now, boolean writes) {
        Level before = seen.room.level();
        long free = free();
        if (free < floor(headroom) && writes && givesReserveBack()) {
            free = free();
        }
        Level level = level(free, held, headroom, before);
        if (level == Level.ENOUGH && reserveIsWanted && level(free, held, headroom, Level.SHORT) == Level.ENOUGH) {
            takeReserve();
            free = free();
        }
        Room room = new Room(level, free, headroom);
        if (level != before) {
            tell(room);
        }
        seen = new Seen(room, now);
        return room;
    }

    private long free() {
        try {
            return space.of(disk);
        } catch (IOException e) {
            throw NotDoneException.io("cannot see how full the disk of " + directory + " is: " + e.getMessage(), e);
        }
    }

    private boolean givesReserveBack() {
        try {
            boolean given = reserve.giveBack();
            held = 0;
            if (given) {
                reserveIsWanted = true;
                LOG.warn("the disk of {} is full: {} that were held in reserve are given back", directory,
                        text(reserve.bytes()));
            }
            return given;
        } catch (IOException e) {
            LOG.warn("the disk of {} is full, and the reserve cannot be given back: {}", directory, e.getMessage());
            return false;
        }
    }

    private void takeReserve() {
        reserveIsWanted = false; // if it cannot be had now, it is not tried again before it was needed
        try {
            reserve.make();
            held = reserve.bytes();
        } catch (IOException e) {
            LOG.info("no space could be reserved in {}: {}", directory, e.getMessage());
        }
    }

    private void tell(Room room) {
        switch (room.level()) {
            case ENOUGH -> LOG.info("the disk of {} has room again: {} are free", directory, text(room.free()));
            case SHORT -> LOG.warn("{}, and {} are kept for finishing and removing: nothing is added until there is"
                    + " room", left(room), text(headroom));
            case FULL -> LOG.error("{}: nothing can be written until somebody frees space", left(room));
        }
    }
}
