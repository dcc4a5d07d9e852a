package io.entrepot.posix;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One {@link MountPool} for each mount, made when it is first asked for. Safe for use by many threads. */
public final class MountPools implements AutoCloseable {
    private final FileCalls calls;
    private final int threads;
    private final BootClock clock;
    private final Map<Key, MountPool> pools = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** A mount that is unmounted and mounted anew is another one: what hangs on the old one does not count. */
    private record Key(BytePath point, long id) {}

    /**
     * @param threads of each mount. Too few, and two slow directories keep everybody waiting; too many, and dead storage holds
     *                that many threads with a megabyte of address space each
     */
    public MountPools(FileCalls calls, int threads, BootClock clock) {
        if (threads < 1) {
            throw new IllegalArgumentException("at least one thread for a mount, not " + threads);
        }
        this.calls = calls;
        this.threads = threads;
        this.clock = clock;
    }

    /** The pool of the mount that a path without symbolic links is on. */
    public MountPool of(BytePath path) throws IOException {
        return of(calls.mountOf(path));
    }

    public MountPool of(Mount mount) {
        if (closed) {
            throw new IllegalStateException("the pools are closed");
        }
        Key key = new Key(mount.point(), mount.id());
        MountPool pool = pools.get(key);
        if (pool == null) {
            pools.entrySet()
                    .removeIf(other -> other.getKey().point().equals(mount.point()) && other.getValue().isIdle());
            pool = pools.computeIfAbsent(key, _ -> new MountPool(mount.point(), threads, clock));
        }
        return pool;
    }

    /** What all mounts are doing, by mount point. */
    public List<MountPool.Load> snapshot() {
        List<MountPool.Load> loads = new ArrayList<>();
        pools.values().forEach(pool -> loads.add(pool.snapshot()));
        loads.sort((a, b) -> a.mount().compareTo(b.mount()));
        return List.copyOf(loads);
    }

    /** Takes no more calls. Does not wait for those that hang: their threads do not keep the JVM from ending. */
    @Override
    public void close() {
        closed = true;
        pools.values().forEach(MountPool::close);
    }
}
