package io.entrepot.pool.internal;

import io.entrepot.pool.Location;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A volume that this process has mounted: its backend, what an operator wants of it, and how it does. Safe for use by many
 * threads: what changes is volatile or atomic, and only ever advises; that a file fits is decided by the storage.
 */
public final class MountedVolume {
    private final long number;
    private final String name;
    private final Location location;
    private final int depth;
    private final Instant mounted;
    private final AtomicLong inFlight = new AtomicLong();
    private final AtomicInteger rooms = new AtomicInteger();
    /** Written since space was last asked for: the storage may not have counted it yet. */
    private final AtomicLong since = new AtomicLong();
    private volatile VolumeState state;
    private volatile long headroom;
    /** A write found no room although some seemed free: inodes or a quota may be used up. Others are preferred until it is tried. */
    private volatile boolean full;
    /** The last small file took long to be placed. */
    private volatile boolean slow;
    private volatile Condition condition;

    /** How it does. The backend is missing as long as it could not be opened. */
    private record Condition(@Nullable Backend backend, VolumeHealth health, @Nullable String problem,
            Backend.Space space) {}

    MountedVolume(long number, String name, Location location, int depth, long headroom, Instant mounted,
            VolumeState state) {
        this.number = number;
        this.name = name;
        this.location = location;
        this.depth = depth;
        this.headroom = headroom;
        this.mounted = mounted;
        this.state = state;
        this.condition = new Condition(null, VolumeHealth.FAILED, "it was not opened yet", new Backend.Space(0, 0));
    }

    public long number() {
        return number;
    }

    public String name() {
        return name;
    }

    public Location location() {
        return location;
    }

    public int depth() {
        return depth;
    }

    /** By the clock of the database. */
    Instant mounted() {
        return mounted;
    }

    public VolumeState state() {
        return state;
    }

    void state(VolumeState value) {
        state = value;
    }

    void headroom(long value) {
        headroom = value;
    }

    public VolumeHealth health() {
        return condition.health;
    }

    public Optional<String> problem() {
        return Optional.ofNullable(condition.problem);
    }

    /** @throws VolumeException if it could not be opened, or has failed since */
    public Backend backend() throws VolumeException {
        Condition now = condition;
        if (now.backend == null || now.health == VolumeHealth.FAILED) {
            throw new VolumeException(VolumeException.Kind.BROKEN, "volume " + name + " has failed: " + now.problem,
                    null);
        }
        return now.backend;
    }

    /** The backend whatever its health, to try it again; nothing if it was never opened. */
    Optional<Backend> opened() {
        return Optional.ofNullable(condition.backend);
    }

    /** Whether that is what calls go to now; another one may have lost what this one had. */
    boolean isUsed(Backend backend) {
        return backend.equals(condition.backend);
    }

    void full() {
        full = true;
    }

    boolean isFull() {
        return full;
    }

    /** Whether it would be in vain to wait a moment for a small file to be placed. */
    boolean isSlow() {
        return slow;
    }

    void slow(boolean value) {
        slow = value;
    }

    synchronized void works(Backend backend, Backend.Space space) {
        since.set(0);
        full = false;
        condition = new Condition(backend, VolumeHealth.HEALTHY, null, space);
    }

    /**
     * Says whether that is news. If not, the problem stays the one it began with; others follow from it. One that has failed is no
     * better for what else is wrong with it: it has to be opened anew.
     */
    synchronized boolean ails(VolumeHealth health, String problem) {
        Condition before = condition;
        if (before.backend != null && (before.health == health || before.health == VolumeHealth.FAILED)) {
            return false;
        }
        condition = new Condition(before.backend, health, problem, before.space);
        return before.health != health;
    }

    /** Whether new files may go here at all. */
    boolean takesFiles() {
        return state == VolumeState.ACTIVE && condition.health == VolumeHealth.HEALTHY;
    }

    /** What new files may take. */
    long available() {
        return condition.space.free() - headroom - inFlight.get() - since.get();
    }

    double used() {
        Backend.Space space = condition.space;
        return space.total() == 0 ? 1 : 1 - (double) Math.max(0, available()) / space.total();
    }

    /** Bytes that somebody is about to write here. */
    Room room(long bytes) {
        rooms.incrementAndGet();
        inFlight.addAndGet(bytes);
        return new Room(bytes);
    }

    /** Whether somebody writes here, or is about to: then a file may appear although none is to come any more. */
    boolean isWritten() {
        return rooms.get() > 0;
    }

    /** A part of what is available, given back when closed. For one thread. */
    final class Room implements AutoCloseable {
        private long bytes;
        private long written;
        private boolean closed;

        private Room(long bytes) {
            this.bytes = bytes;
        }

        MountedVolume volume() {
            return MountedVolume.this;
        }

        /** More has come than was asked for; says whether there is room for that. */
        boolean grow(long size) {
            if (size > bytes) {
                inFlight.addAndGet(size - bytes);
                bytes = size;
            }
            return available() >= 0;
        }

        void written(long size) {
            written = size;
        }

        @Override
        public void close() {
            since.addAndGet(written);
            inFlight.addAndGet(-bytes);
            bytes = 0;
            written = 0;
            if (!closed) {
                closed = true;
                rooms.decrementAndGet();
            }
        }
    }

    VolumeInfo info(long files) {
        Condition now = condition;
        return new VolumeInfo(name, location, state, now.health, Optional.ofNullable(now.problem), now.space.total(),
                now.space.free(), inFlight.get(), headroom, Math.max(0, available()), files, depth,
                now.backend != null && now.backend.traits().described(), mounted);
    }
}
