package io.entrepot.pool.internal;

import io.entrepot.lease.Nonces;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Placement;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Stores;
import io.entrepot.store.Transaction;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes: which there are, which of them takes a new file, and how they do. Which there are is in the main database;
 * their order there is the order in which they were mounted. Safe for use by many threads: mounting and the like one at a
 * time, everything else on a map for many.
 */
public final class VolumeBook implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeBook.class);
    private static final List<VolumeState> STATES = List.of(VolumeState.ACTIVE, VolumeState.READ_ONLY,
            VolumeState.DRAINING, VolumeState.SPARE);

    private final Stores stores;
    private final Store main;
    private final BackendFactory backends;
    private final Nonces nonces;
    private final Placement placement;
    private final long spareBelow;
    private final Map<Long, MountedVolume> volumes = new ConcurrentSkipListMap<>();
    private final AtomicLong turn = new AtomicLong();
    private volatile Runnable onChange = () -> {};

    /** Opens what is at a location. */
    public interface BackendFactory {
        Backend open(Path location, String identity, boolean create) throws VolumeException, InterruptedException;
    }

    private static final String COLUMNS = "id, name, identity, location, state, depth, headroom, mounted, made";

    private record Row(long number, String name, String identity, Path location, int state, int depth, long headroom,
            Instant mounted, boolean made) {

        static Row read(ResultSet row) throws SQLException {
            return new Row(row.getLong(1), row.getString(2), row.getString(3), Path.of(row.getString(4)),
                    row.getInt(5), row.getInt(6), row.getLong(7), Instant.ofEpochMilli(row.getLong(8)),
                    row.getInt(9) == 1);
        }
    }

    public VolumeBook(Stores stores, BackendFactory backends, Nonces nonces, Placement placement, long spareBelow) {
        this.stores = stores;
        this.main = stores.main();
        this.backends = backends;
        this.nonces = nonces;
        this.placement = placement;
        this.spareBelow = spareBelow;
    }

    /** How many files are on a volume; in each store those of its tenants. */
    static Counter files(long volume) {
        return new Counter("pool.volume.files", volume);
    }

    /** Mounts what the books name. One that cannot be opened has failed, and the others work. */
    public synchronized void open() throws InterruptedException {
        for (Row row : rows()) {
            MountedVolume volume = mounted(row);
            volumes.put(row.number, volume);
            tryToOpen(volume, row);
        }
    }

    public List<MountedVolume> all() {
        return List.copyOf(volumes.values());
    }

    public Optional<MountedVolume> find(String name) {
        return volumes.values().stream().filter(volume -> volume.name().equals(name)).findFirst();
    }

    Optional<MountedVolume> find(long number) {
        return Optional.ofNullable(volumes.get(number));
    }

    public MountedVolume require(String name) {
        return find(name).orElseThrow(() -> new InvalidSettingException("there is no volume " + name + "; there are "
                + volumes.values().stream().map(MountedVolume::name).toList()));
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

    public long fileCount(MountedVolume volume) {
        return EveryStore.of(stores).stream().mapToLong(
                store -> store.read(snapshot -> snapshot.count(files(volume.number())))).sum();
    }

    public synchronized MountedVolume mount(VolumeSpec spec) throws InterruptedException {
        Path location = spec.path().toAbsolutePath().normalize();
        for (MountedVolume other : volumes.values()) {
            if (other.name().equals(spec.name())) {
                throw new InvalidSettingException("there is a volume " + spec.name() + " already");
            }
            if (other.location().startsWith(location) || location.startsWith(other.location())) {
                throw new InvalidSettingException("the volumes " + spec.name() + " and " + other.name()
                        + " would lie within each other: " + location + ", " + other.location());
            }
        }
        Row row = begin(spec, location);
        Backend backend;
        try {
            backend = backends.open(location, row.identity, true);
        } catch (VolumeException e) {
            main.write(Owner.SYSTEM, tx -> tx.update("DELETE FROM volume WHERE id = ? AND made = 0", row.number));
            throw new StorageVolumeUnavailableException("volume " + spec.name() + " cannot be mounted: "
                    + e.getMessage(), e);
        }
        try {
            made(row);
        } catch (RuntimeException e) {
            backend.close();
            throw e;
        }
        MountedVolume volume = mounted(row);
        volumes.put(row.number, volume);
        refresh(volume, backend);
        onChange.run();
        return volume;
    }

    /** From now on this is called after every change. */
    void onChange(Runnable listener) {
        onChange = listener;
    }

    /** What was decided of them. */
    static List<Settings.Volume> settings(Snapshot snapshot) {
        return rows(snapshot).stream().map(row -> new Settings.Volume(row.number, row.name, row.identity, row.location,
                STATES.get(row.state), row.depth, row.headroom, row.mounted)).toList();
    }

    /** Makes the books say what the settings say; before they are opened. */
    static void restore(Transaction tx, List<Settings.Volume> settings) {
        tx.update("DELETE FROM volume");
        for (Settings.Volume volume : settings) {
            tx.update("INSERT INTO volume (id, name, identity, location, state, depth, headroom, mounted, made)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)", volume.number(), volume.name(), volume.identity(),
                    volume.location().toString(), STATES.indexOf(volume.state()), volume.depth(), volume.headroom(),
                    volume.mounted().toEpochMilli());
            Counter last = new Counter("pool.volume", 0);
            tx.add(last, Math.max(0, volume.number() - tx.count(last)));
        }
    }

    /**
     * Writes down what is to be made, before it is: were the directory made first, a crash would leave one whose name nobody
     * knows, and which could never be mounted.
     */
    private Row begin(VolumeSpec spec, Path location) {
        String identity = HexFormat.of().toHexDigits(nonces.next());
        VolumeState state = spec.spare() ? VolumeState.SPARE : VolumeState.ACTIVE;
        return main.write(Owner.SYSTEM, tx -> {
            Optional<Row> begun = tx.first("SELECT " + COLUMNS + " FROM volume WHERE name = ? AND made = 0", Row::read,
                    spec.name());
            if (begun.filter(row -> row.location.equals(location)).isPresent()) {
                return begun.get();
            }
            begun.ifPresent(row -> tx.update("DELETE FROM volume WHERE id = ?", row.number));
            Row row = new Row(tx.next(new Counter("pool.volume", 0), 1), spec.name(), identity, location,
                    STATES.indexOf(state), spec.depth(), spec.headroom(), Instant.ofEpochMilli(tx.now()), false);
            tx.update("INSERT INTO volume (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)", row.number, row.name,
                    identity, location.toString(), row.state, row.depth, row.headroom, row.mounted.toEpochMilli());
            return row;
        });
    }

    private void made(Row row) {
        main.write(Owner.SYSTEM, tx -> {
            tx.update("UPDATE volume SET made = 1 WHERE id = ?", row.number);
            tx.publish(Owner.SYSTEM, "volume.mounted", row.name,
                    new Body().with("path", row.location.toString()).toString());
            return true;
        });
    }

    /** Forgets a volume that has no files. What is on it stays there. */
    public synchronized void unmount(String name) {
        MountedVolume volume = require(name);
        VolumeState before = volume.state();
        volume.state(VolumeState.READ_ONLY); // so that nothing comes after the count
        long files = fileCount(volume);
        if (files > 0 || volume.isWritten()) {
            volume.state(before);
            throw new InvalidSettingException("volume " + name + (files > 0
                    ? " has " + files + " files; drain it first"
                    : " is being written to; set it read-only, and try again"));
        }
        main.write(Owner.SYSTEM, tx -> {
            tx.update("DELETE FROM volume WHERE id = ?", volume.number());
            tx.publish(Owner.SYSTEM, "volume.unmounted", name, "{}");
            return true;
        });
        volumes.remove(volume.number());
        onChange.run();
        volume.opened().ifPresent(Backend::close);
    }

    public synchronized void setState(String name, VolumeState state) {
        MountedVolume volume = require(name);
        main.write(Owner.SYSTEM, tx -> {
            tx.update("UPDATE volume SET state = ? WHERE id = ?", STATES.indexOf(state), volume.number());
            tx.publish(Owner.SYSTEM, "volume." + state.name().toLowerCase(Locale.ROOT).replace('_', '-'), name, "{}");
            return true;
        });
        volume.state(state);
        onChange.run();
    }

    /** Room for a new file of so many bytes, on the volume that the policy prefers. */
    MountedVolume.Room choose(long bytes, List<MountedVolume> except) {
        while (true) {
            MountedVolume.Room room = preferred(bytes, except);
            // Asked again with the room taken: whoever stops the volume sees the room, or is seen here.
            if (room.volume().takesFiles()) {
                return room;
            }
            room.close();
        }
    }

    private MountedVolume.Room preferred(long bytes, List<MountedVolume> except) {
        List<MountedVolume> takers = volumes.values().stream().filter(MountedVolume::takesFiles)
                .filter(volume -> !except.contains(volume)).toList();
        if (takers.isEmpty()) {
            throw new StorageVolumeUnavailableException("no volume takes files now: " + troubles());
        }
        List<MountedVolume> roomy = takers.stream().filter(volume -> volume.available() >= bytes).toList();
        if (roomy.isEmpty()) {
            throw new InsufficientStorageException("no volume has room for " + bytes + " bytes: " + troubles());
        }
        MountedVolume chosen = switch (placement) {
            case MOST_FREE -> roomy.stream().max(Comparator.comparingLong(MountedVolume::available)).orElseThrow();
            case LEAST_USED -> roomy.stream().min(Comparator.comparingDouble(MountedVolume::used)).orElseThrow();
            case ROUND_ROBIN -> roomy.get((int) (turn.getAndIncrement() % roomy.size()));
        };
        return chosen.room(bytes);
    }

    private String troubles() {
        List<String> each = new ArrayList<>();
        volumes.values().forEach(volume -> each.add(volume.name() + " is "
                + volume.state().name().toLowerCase(Locale.ROOT) + ", " + volume.problem()
                        .orElseGet(() -> Math.max(0, volume.available()) + " bytes available")));
        return each.isEmpty() ? "none is mounted" : String.join("; ", each);
    }

    /** Something failed there: what that says of the volume. A full one is looked at again, a missing file is no fault of it. */
    void failed(MountedVolume volume, VolumeException e) {
        switch (e.kind()) {
            case READ_ONLY -> ails(volume, VolumeHealth.UNWRITABLE, e);
            case NOT_THE_VOLUME, HANGS, BROKEN -> ails(volume, VolumeHealth.FAILED, e);
            case FULL, MISSING, EXISTS -> {
            }
        }
    }

    private void ails(MountedVolume volume, VolumeHealth health, VolumeException e) {
        if (volume.ails(health, String.valueOf(e.getMessage()))) {
            LOG.warn("volume {} is {}: {}", volume.name(), health, e.getMessage());
            publish("volume." + health.name().toLowerCase(Locale.ROOT), volume.name(),
                    new Body().with("problem", String.valueOf(e.getMessage())).toString());
        }
    }

    /** Tries every volume, asks for its space, brings back what works again, and adds spares where room is short. */
    public synchronized void probe() throws InterruptedException {
        for (Row row : rows()) {
            MountedVolume volume = volumes.computeIfAbsent(row.number, _ -> mounted(row));
            volume.state(STATES.get(row.state));
            if (volume.opened().isEmpty() || volume.health() == VolumeHealth.FAILED) {
                tryToOpen(volume, row);
                continue;
            }
            try {
                Backend backend = volume.opened().get();
                backend.probe();
                refresh(volume, backend);
            } catch (VolumeException e) {
                if (e.kind() == VolumeException.Kind.FULL) {
                    refresh(volume, volume.opened().get());
                } else {
                    failed(volume, e);
                }
            }
        }
        addSpares();
    }

    private void addSpares() {
        long available = volumes.values().stream().filter(MountedVolume::takesFiles)
                .mapToLong(volume -> Math.max(0, volume.available())).sum();
        for (MountedVolume spare : volumes.values()) {
            if (available < spareBelow && spare.state() == VolumeState.SPARE
                    && spare.health() == VolumeHealth.HEALTHY) {
                setState(spare.name(), VolumeState.ACTIVE);
                publish("volume.spare-added", spare.name(), new Body().with("available", available).toString());
                available += Math.max(0, spare.available());
            }
        }
    }

    /**
     * One that has failed is opened anew: after a failed sync nothing of what it was may be believed, and storage that was away
     * may be back as another device. What is held open of the old one stays usable until it is closed.
     */
    private void tryToOpen(MountedVolume volume, Row row) throws InterruptedException {
        Backend backend;
        try {
            backend = backends.open(volume.location(), row.identity, !row.made);
        } catch (VolumeException e) {
            ails(volume, VolumeHealth.FAILED, e);
            return;
        }
        if (!row.made) {
            made(row);
        }
        Optional<Backend> before = volume.opened();
        refresh(volume, backend);
        if (volume.opened().filter(backend::equals).isPresent()) {
            before.ifPresent(Backend::close);
        } else {
            backend.close();
        }
    }

    private void refresh(MountedVolume volume, Backend backend) throws InterruptedException {
        try {
            boolean back = volume.health() != VolumeHealth.HEALTHY && volume.opened().isPresent();
            volume.works(backend, backend.space());
            if (back) {
                LOG.info("volume {} is healthy again", volume.name());
                publish("volume.healthy", volume.name(), "{}");
            }
        } catch (VolumeException e) {
            ails(volume, VolumeHealth.FAILED, e);
        }
    }

    private void publish(String event, String volume, String body) {
        try {
            main.write(Owner.SYSTEM, tx -> {
                tx.publish(Owner.SYSTEM, event, volume, body);
                return true;
            });
        } catch (io.entrepot.store.StoreException e) {
            LOG.warn("{} of volume {} could not be told: {}", event, volume, e.getMessage());
        }
    }

    private static MountedVolume mounted(Row row) {
        return new MountedVolume(row.number, row.name, row.location, row.depth, row.headroom, row.mounted,
                STATES.get(row.state));
    }

    private List<Row> rows() {
        return main.read(VolumeBook::rows);
    }

    private static List<Row> rows(Snapshot snapshot) {
        return snapshot.query("SELECT " + COLUMNS + " FROM volume ORDER BY id", Row::read);
    }

    @Override
    public void close() {
        volumes.values().forEach(volume -> volume.opened().ifPresent(Backend::close));
    }
}
