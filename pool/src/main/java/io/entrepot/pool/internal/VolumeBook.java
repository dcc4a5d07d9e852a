package io.entrepot.pool.internal;

import io.entrepot.lease.Nonces;
import io.entrepot.lease.Ticker;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Location;
import io.entrepot.pool.Placement;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeNotFoundException;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import io.entrepot.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The volumes: which there are, which of them takes a new file, and how they do. Which there are is in the main database;
 * their order there is the order in which they were mounted. Where other processes may change that, what is known here is
 * believed for a second; so whoever makes a file known asks once more, in his transaction: {@link #requireMounted}.
 *
 * <p>Safe for use by many threads: what the database says is taken over, and changed, one at a time; everything else is on a map
 * for many. Nobody waits for storage meanwhile, as it may hang; volumes are tried beside each other.
 */
public final class VolumeBook implements AutoCloseable {
    private static final long BELIEVED = Duration.ofSeconds(1).toNanos();

    private final Stores stores;
    private final Store main;
    private final VolumeRows rows;
    private final Backends backends;
    private final VolumeTrials trials;
    private final Nonces nonces;
    private final Ticker ticker;
    private final VolumeChoice choice;
    private final Spares spares;
    private final Map<Long, MountedVolume> volumes = new ConcurrentSkipListMap<>();
    /** Held by one who mounts, for as long as the storage takes. */
    private final ReentrantLock mounting = new ReentrantLock();
    /** Held by one who tries them all. */
    private final ReentrantLock probing = new ReentrantLock();
    private volatile long learnt;
    private volatile Runnable onChange = () -> {};
    private volatile Others others = new Others() {
    };

    /** Told what other processes have done with volumes. */
    interface Others {
        default void mounted(MountedVolume volume) throws InterruptedException {}

        default void unmounted(MountedVolume volume) {}
    }

    public VolumeBook(Stores stores, Backends backends, Nonces nonces, Ticker ticker, Placement placement,
            long spareBelow) {
        this.stores = stores;
        this.main = stores.main();
        this.rows = new VolumeRows(main);
        this.backends = backends;
        this.trials = new VolumeTrials(main, rows, backends, volume -> volume.equals(volumes.get(volume.number())));
        this.nonces = nonces;
        this.ticker = ticker;
        this.choice = new VolumeChoice(placement);
        this.spares = new Spares(volumes.values(), choice, this::useSpare, spareBelow);
    }

    /** From now on. */
    void use(Placement placement, long spare) {
        choice.use(placement);
        spares.below(spare);
    }

    /** How many files are on a volume; in each store those of its tenants. */
    static Counter files(long volume) {
        return new Counter("pool.volume.files", volume);
    }

    /** Mounts what the books name. One that cannot be opened has failed, and the others work. */
    public void open() throws InterruptedException {
        List<VolumeRows.Row> all = rows.all();
        learnt = ticker.nanos();
        all.forEach(row -> volumes.put(row.number(), row.volume()));
        Beside.each(all, row -> tryIt(row, trials::open));
    }

    private interface Trial {
        void run(MountedVolume volume, VolumeRows.Row row) throws InterruptedException;
    }

    private void tryIt(VolumeRows.Row row, Trial trial) throws InterruptedException {
        MountedVolume volume = volumes.get(row.number());
        if (volume != null) { // it may have been unmounted just now
            trial.run(volume, row);
        }
    }

    /** From now on this is told what other processes do. */
    void onOthers(Others listener) {
        others = listener;
    }

    /**
     * Takes over what other processes have decided: states, and volumes that are no longer there. Those that are new are the
     * answer; they are still to be {@linkplain #adopt adopted}.
     */
    private synchronized List<VolumeRows.Row> learn() {
        long now = ticker.nanos();
        List<VolumeRows.Row> strangers = new ArrayList<>();
        Set<Long> there = new HashSet<>();
        for (VolumeRows.Row row : rows.all()) {
            there.add(row.number());
            MountedVolume known = volumes.get(row.number());
            if (known != null) {
                known.state(row.state());
                known.headroom(row.headroom());
            } else if (row.made()) {
                strangers.add(row);
            }
        }
        all().stream().filter(volume -> !there.contains(volume.number())).forEach(this::forget);
        learnt = now;
        return strangers;
    }

    /** Another process has unmounted it: it had no files. */
    private void forget(MountedVolume volume) {
        volumes.remove(volume.number());
        Thread.ofVirtual().name("forget volume " + volume.name()).start(() -> {
            others.unmounted(volume);
            volume.opened().ifPresent(Backend::close);
        });
    }

    private void adopt(List<VolumeRows.Row> strangers) throws InterruptedException {
        Beside.each(strangers, row -> {
            MountedVolume volume = row.volume();
            if (volumes.putIfAbsent(row.number(), volume) == null) {
                trials.open(volume, row);
                others.mounted(volume);
            }
        });
    }

    public List<MountedVolume> all() {
        return List.copyOf(volumes.values());
    }

    public Optional<MountedVolume> find(String name) {
        return volumes.values().stream().filter(volume -> volume.name().equals(name)).findFirst();
    }

    /** Why nothing can be read there now; nothing if it works, as far as is known. */
    public Optional<String> whyUnreadable(String name) {
        return find(name).filter(volume -> volume.health() == VolumeHealth.FAILED).flatMap(MountedVolume::problem);
    }

    /** The same of one that a file names, which may not even be mounted. */
    Optional<String> whyUnreadable(long number) {
        return find(number).map(volume -> whyUnreadable(volume.name()).map(why -> "volume " + volume.name()
                + " has failed: " + why)).orElseGet(() -> Optional.of("its volume is not mounted here"));
    }

    Optional<MountedVolume> find(long number) {
        return Optional.ofNullable(volumes.get(number));
    }

    public MountedVolume require(String name) {
        return find(name).orElseThrow(() -> new VolumeNotFoundException(name,
                volumes.values().stream().map(MountedVolume::name).sorted().toList()));
    }

    /** One that another process has just mounted is opened first. @throws VolumeException if there is none */
    MountedVolume reach(long number) throws VolumeException, InterruptedException {
        if (main.shared() && !volumes.containsKey(number)) {
            adopt(learn());
        }
        return require(number);
    }

    /** @throws VolumeException if this process has not mounted it */
    MountedVolume require(long number) throws VolumeException {
        MountedVolume volume = volumes.get(number);
        if (volume == null) {
            throw new VolumeException(VolumeException.Kind.BROKEN, "volume number " + number + " is not mounted here",
                    null);
        }
        return volume;
    }

    public List<VolumeInfo> infos() {
        return all().stream().map(volume -> volume.info(fileCount(volume))).toList();
    }

    /** As far as shards can be opened. */
    public long fileCount(MountedVolume volume) {
        return EveryStore.of(stores).stream().mapToLong(store -> count(store, volume)).sum();
    }

    private static long count(Store store, MountedVolume volume) {
        return store.read(snapshot -> snapshot.count(files(volume.number())));
    }

    /** Mounts it if there is none of that name; another process may be about to do the same. */
    public void seed(VolumeSpec spec) throws InterruptedException {
        if (find(spec.name()).isPresent()) {
            return;
        }
        try {
            mount(spec);
        } catch (InvalidSettingException e) {
            if (main.shared()) {
                adopt(learn());
            }
            if (find(spec.name()).isEmpty()) {
                throw e;
            }
        }
    }

    public MountedVolume mount(VolumeSpec spec) throws InterruptedException {
        Location location = spec.location().absolute();
        backends.check(location);
        mounting.lockInterruptibly();
        try {
            return mount(spec, location);
        } finally {
            mounting.unlock();
        }
    }

    private MountedVolume mount(VolumeSpec spec, Location location) throws InterruptedException {
        if (main.shared()) {
            adopt(learn());
        }
        for (MountedVolume other : volumes.values()) {
            if (other.name().equals(spec.name())) {
                throw new InvalidSettingException("there is a volume " + spec.name() + " already");
            }
            if (other.location().overlaps(location)) {
                throw new InvalidSettingException("the volumes " + spec.name() + " and " + other.name()
                        + " would lie within each other: " + location + ", " + other.location());
            }
        }
        VolumeRows.Row row = rows.begin(spec, location, HexFormat.of().toHexDigits(nonces.next()));
        Backend backend;
        try {
            backend = backends.open(location, row.identity(), true);
        } catch (VolumeException e) {
            rows.giveUp(row);
            throw new StorageVolumeUnavailableException("volume " + spec.name() + " cannot be mounted: "
                    + e.getMessage(), e);
        }
        MountedVolume volume = row.volume();
        try {
            synchronized (this) { // or it would be taken for another process's
                rows.made(row);
                volumes.put(row.number(), volume);
            }
        } catch (RuntimeException e) {
            backend.close();
            throw e;
        }
        trials.mounted(volume, backend);
        onChange.run();
        return volume;
    }

    /** From now on this is called after every change. */
    void onChange(Runnable listener) {
        onChange = listener;
    }

    /** Forgets a volume that has no files. What is on it stays there, and stays open. */
    public synchronized void unmount(String name) {
        MountedVolume volume = require(name);
        VolumeState before = volume.state();
        volume.state(VolumeState.READ_ONLY); // so that nothing comes after the count
        try {
            if (volume.isWritten()) { // asked first: whoever is through is counted then, and nobody else begins
                throw new InvalidSettingException(
                        "volume " + name + " is being written to; set it read-only, and try again");
            }
            requireEmpty(volume);
            rows.remove(volume);
        } catch (RuntimeException e) {
            volume.state(before);
            throw e;
        }
        volumes.remove(volume.number());
        onChange.run();
    }

    /** Of a shard that cannot be read nobody knows what it has there, and once it is recovered its files want their volume. */
    private void requireEmpty(MountedVolume volume) {
        long files = count(main, volume);
        for (Owner owner : stores.sharded()) {
            try {
                files += count(stores.store(owner), volume);
            } catch (StoreException e) {
                throw new InvalidSettingException("volume " + volume.name() + " may have files of tenant " + owner
                        + ", whose shard cannot be read: recover it first, or open the pool again: " + e.getMessage(),
                        e);
            }
        }
        VolumeRows.requireEmpty(volume, files);
    }

    public synchronized void setState(String name, VolumeState state) {
        MountedVolume volume = require(name);
        rows.setState(volume, state);
        volume.state(state);
        onChange.run();
    }

    public synchronized void setHeadroom(String name, long headroom) {
        if (headroom < 0) {
            throw new InvalidSettingException("a volume has no negative headroom: " + headroom);
        }
        MountedVolume volume = require(name);
        rows.setHeadroom(volume, headroom);
        volume.headroom(headroom);
        onChange.run();
    }

    /**
     * That it was not unmounted since it was chosen, by another process: whoever names it in a row asks this in the same
     * transaction. Where there is one process, nothing is unmounted that has room taken.
     */
    void requireMounted(Snapshot snapshot, long number) {
        if (!isMounted(snapshot, number)) {
            throw new StorageVolumeUnavailableException("volume number " + number
                    + " was drained or unmounted meanwhile");
        }
    }

    boolean isMounted(Snapshot snapshot, long number) {
        return !main.shared() || VolumeRows.isThere(snapshot, number);
    }

    /**
     * That a volume which is drained stays empty, whatever other processes have begun to write there. Where there is one process,
     * it knows its writers.
     */
    boolean close(MountedVolume volume) {
        return !main.shared() || rows.close(volume);
    }

    /** Room for a new file of so many bytes, on the volume that the policy prefers; on a spare if no other has it. */
    MountedVolume.Room choose(long bytes, List<MountedVolume> except) {
        believe();
        spares.addIfShort();
        while (true) {
            Optional<MountedVolume.Room> room = choice.find(volumes.values(), bytes, except);
            if (room.isPresent()) {
                return room.get();
            }
            if (!spares.addFor(bytes, except)) {
                return chooseInUse(bytes, except);
            }
        }
    }

    /** The same for who can wait: no spare is added for it. */
    MountedVolume.Room chooseInUse(long bytes, List<MountedVolume> except) {
        believe();
        return choice.room(volumes.values(), bytes, except);
    }

    private void believe() {
        if (main.shared() && ticker.nanos() - learnt > BELIEVED) {
            learn(); // those that are new are for others to open: it may take long
        }
    }

    /** Tries every volume, asks for its space, brings back what works again, and adds spares where room is short. */
    public void probe() throws InterruptedException {
        probing.lockInterruptibly();
        try {
            adopt(learn());
            Beside.each(rows.all(), row -> tryIt(row, trials::probe));
            spares.addAhead();
        } finally {
            probing.unlock();
        }
    }

    /** Takes a spare into use, unless it is none any longer, as others may have been quicker. */
    private synchronized void useSpare(MountedVolume spare, long available) {
        if (main.shared()) {
            learn();
        }
        if (spare.state() == VolumeState.SPARE && rows.useSpare(spare, available)) {
            spare.state(VolumeState.ACTIVE);
            onChange.run();
        } else if (main.shared()) {
            learn();
        }
    }

    /** Something failed there. */
    void failed(MountedVolume volume, VolumeException e) {
        trials.failed(volume, e);
    }

    @Override
    public void close() {
        volumes.values().forEach(volume -> volume.opened().ifPresent(Backend::close));
    }
}
