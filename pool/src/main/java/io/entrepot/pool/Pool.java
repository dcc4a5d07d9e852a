package io.entrepot.pool;

import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.KnownStores;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.pool.event.StoreListening;
import io.entrepot.pool.internal.Backlogs;
import io.entrepot.pool.internal.Checking;
import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.Explanation;
import io.entrepot.pool.internal.FileDesk;
import io.entrepot.pool.internal.Guests;
import io.entrepot.pool.internal.Histories;
import io.entrepot.pool.internal.Opening;
import io.entrepot.pool.internal.PoolBackup;
import io.entrepot.pool.internal.QuotaAdmin;
import io.entrepot.pool.internal.Rescue;
import io.entrepot.pool.internal.TenantAdmin;
import io.entrepot.pool.internal.VolumeAdmin;
import io.entrepot.pool.internal.WorkDesk;
import io.entrepot.pool.job.JobRun;
import io.entrepot.pool.job.Jobs;
import io.entrepot.pool.process.FileHandler;
import io.entrepot.pool.process.ProcessOptions;
import io.entrepot.pool.process.Processing;
import io.entrepot.pool.watch.Watchers;
import io.entrepot.store.Events;
import io.entrepot.store.Room;
import io.entrepot.store.Schema;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Files of many tenants over many volumes, each handed to exactly one worker at a time.
 *
 * <pre>{@code
 * try (Pool pool = Pool.open(Path.of("data"))) {
 *     pool.files().write(TenantId.DEFAULT, NewFile.named("invoice.pdf"), stream);
 *     pool.work().claim(TenantId.DEFAULT, "worker-1").ifPresent(claimed -> …);
 * }
 * }</pre>
 *
 * <p>Whatever returns is durable. Failures are {@link PoolException}s, which say whether the same call may succeed later,
 * never will, or may have happened. Calls block, best on virtual threads, and those that wait end early when interrupted. Safe
 * for use by many threads.
 */
public final class Pool implements FilePool {
    /** The tables of the pool, for opening a store that is to have them. */
    public static final Schema SCHEMA = new Schema("pool", Pool.class, 3);

    private final Opening opened;
    private final Tenants tenants;
    private final Volumes volumes;
    private final PoolFiles files;
    private final Uploads uploads;
    private final WorkQueue work;
    private final Quotas quotas;
    private final Histories histories;
    private final Guests guests = new Guests();
    private final Cleanup cleanup;

    private Pool(Opening opened) {
        this.opened = opened;
        this.tenants = new Tenants(new TenantAdmin(opened.parts()));
        this.volumes = new Volumes(new VolumeAdmin(opened.parts(), opened.uploading()));
        this.files = new LocalFiles(new FileDesk(opened.parts()));
        this.uploads = new Uploads(opened.uploading());
        this.work = new LocalWork(new WorkDesk(opened.parts()));
        this.histories = new Histories(opened.parts());
        this.quotas = new Quotas(new QuotaAdmin(opened.parts()));
        this.cleanup = new Cleanup(opened.cleanup());
    }

    /** With everything in one directory, which is made if there is none: a tenant {@code default}, a volume {@code main}. */
    public static Pool open(Path directory) throws InterruptedException {
        return open(PoolConfig.in(directory));
    }

    /** What a crash has left unfinished is finished first. */
    public static Pool open(PoolConfig config) throws InterruptedException {
        return open(config, RecoveryWatch.NONE);
    }

    /** The same; if a database has to be recovered, or that goes on, the watch is told how far it is. */
    public static Pool open(PoolConfig config, RecoveryWatch watch) throws InterruptedException {
        return Errors.told(() -> new Pool(Opening.of(config, watch)));
    }

    public Tenants tenants() {
        return tenants;
    }

    public Volumes volumes() {
        return volumes;
    }

    @Override
    public PoolFiles files() {
        return files;
    }

    /** Files that are written in pieces. */
    public Uploads uploads() {
        return uploads;
    }

    @Override
    public WorkQueue work() {
        return work;
    }

    public Quotas quotas() {
        return quotas;
    }

    /** Directories whose files are imported by themselves. */
    public Watchers watchers() {
        return opened.watchers();
    }

    /** What goes when nobody needs it any more. */
    public Cleanup cleanup() {
        return cleanup;
    }

    /** What runs in the background: can be seen, triggered and stopped. */
    public Jobs jobs() {
        return opened.parts().jobs();
    }

    @Override
    public Processing process(ProcessOptions options, FileHandler handler) {
        StoreConfig clocks = opened.parts().config().platform().store();
        return guests.keep(Processing.start(options, handler, new Processing.Surroundings(work, files, this::open,
                clocks.ticker(), clocks.wall(), Pool::virtual, ProcessLog.INSTANCE), guests::leaves));
    }

    private List<TenantId> open(List<TenantId> some) {
        return some.stream().filter(tenant -> tenants.find(tenant).map(Tenant::status)
                .filter(status -> status == TenantStatus.ENABLED).isPresent()).toList();
    }

    private static Thread virtual(String name, Runnable task) {
        return Thread.ofVirtual().name(name).unstarted(task);
    }

    /**
     * Writes a copy of the database, as it is at one moment, into a new directory, while everything else goes on. The bytes of
     * files are not in it: they are on their volumes, whose backup is the storage's business.
     *
     * @throws InvalidSettingException if the database is a PostgreSQL, which has its own tools for that
     */
    public void backup(Path target) throws InterruptedException {
        Errors.told(() -> {
            new PoolBackup(opened.parts()).write(target);
            return true;
        });
    }

    /**
     * Puts a backup into the place of a database that is not there. The pool is then opened as usual: files that were written
     * after the backup are found on the volumes and held, files whose bytes are gone are taken out, and
     * {@link #recoveries} says so. What was completed and kept, or failed, after the backup is as it was then, and may be
     * processed again. A restore of this backup that was cut short, also when the pool was opened, is gone on with.
     *
     * @throws InvalidSettingException if there is a database: nothing is overwritten
     */
    public static void restore(Path backup, Path directory) {
        restore(backup, PoolConfig.in(directory));
    }

    public static void restore(Path backup, PoolConfig config) {
        Errors.told(() -> {
            Rescue.restore(backup, config);
            return true;
        });
    }

    /**
     * Looks through the whole database, and recovers it and each shard if there is damage, also such as opening does not meet.
     * The pool must not be open.
     */
    public static List<RecoveryReport> recover(PoolConfig config) throws InterruptedException {
        return recover(config, RecoveryWatch.NONE);
    }

    /** The same, telling how far it is. One that was ended is gone on with by the next call, or the next opening. */
    public static List<RecoveryReport> recover(PoolConfig config, RecoveryWatch watch) throws InterruptedException {
        PoolConfig rebuilding = config.withRecovery(new Recovery(true, config.recovery().backups()));
        watch.at(RecoveryProgress.at("the database, which is looked through for damage"));
        Errors.told(() -> Rescue.setAside(rebuilding));
        try (Pool pool = open(rebuilding, watch)) {
            List<RecoveryReport> reports = new ArrayList<>(pool.recoveries());
            watch.at(RecoveryProgress.at("shards, which are looked through for damage"));
            for (TenantId tenant : Errors.told(pool.opened.shardRescue()::unsound)) {
                reports.add(Errors.told(() -> pool.opened.shardRescue().recover(tenant, watch)));
            }
            return reports;
        }
    }

    /** What opening had to recover; most often nothing. */
    public List<RecoveryReport> recoveries() {
        return opened.recoveries();
    }

    /**
     * Recovers the shard of one tenant, whose calls fail with {@code pool.unavailable.damaged}, while all others work: as
     * {@link Recovery} does for the whole.
     *
     * @throws InvalidSettingException if it has none, or it is sound
     */
    public RecoveryReport recoverShard(TenantId tenant) throws InterruptedException {
        return Errors.told(() -> opened.shardRescue().recover(tenant, RecoveryWatch.NONE));
    }

    /** Looks whether the books fit together; the pool goes on meanwhile. */
    public CheckReport check() throws InterruptedException {
        return check(CheckDepth.BOOKS);
    }

    public CheckReport check(CheckDepth depth) throws InterruptedException {
        return Errors.told(() -> new Checking(opened.parts(), (_, _) -> {}).run(depth));
    }

    /** The same as the task of a job, which is told how far it is, and can be cancelled. */
    public CheckReport check(CheckDepth depth, JobRun run) throws InterruptedException {
        return Errors.told(() -> new Checking(opened.parts(), (looked, what) -> {
            run.checkpoint();
            run.progress(looked, what);
        }).run(depth));
    }

    /** What is known of a file's life. @throws FileNotFoundException if nothing is (any more) */
    @Override
    public FileHistory history(TenantId tenant, FileKey key) {
        return Errors.told(() -> histories.of(tenant, key));
    }

    /** The same in sentences. */
    @Override
    public List<String> explain(TenantId tenant, FileKey key) {
        return Errors.told(() -> Explanation.of(histories.of(tenant, key),
                opened.parts().tenants().require(tenant).tenant(), opened.parts().volumes()::whyUnreadable,
                opened.parts().config().platform().store().wall().instant()));
    }

    /** Everything that has happened, in order, of the pool and of tenants without a shard of their own. */
    public Events events() {
        return opened.stores().main().events();
    }

    /**
     * The main database, for programs that keep tables of their own beside the pool's: what is in it is backed up and restored
     * with the pool. Their schemas are named in {@link PoolConfig.Platform#store}; the pool's tables are not theirs.
     */
    public Store store() {
        return opened.stores().main();
    }

    /** Tells a listener what happens from now on, of the pool and all its tenants, until it is closed. It ends with the pool. */
    @Override
    public Listening listen(EventFilter filter, Consumer<PoolEvent> listener) {
        return Errors
                .told(() -> guests.keep(StoreListening.fromNow(opened.stores(), filter, listener, guests::leaves)));
    }

    /** The same from a cursor on, as far back as events are kept. */
    @Override
    public Listening listen(EventFilter filter, EventCursor from, Consumer<PoolEvent> listener) {
        return guests.keep(StoreListening.from(from, opened.stores(), filter, listener, guests::leaves));
    }

    /**
     * For one who is to learn nothing of some tenants: databases of their own are neither read nor in the cursor. What is in the
     * database that tenants share is told all the same, and moves the cursor.
     */
    public Listening listen(Predicate<TenantId> known, Consumer<PoolEvent> listener) {
        return Errors.told(() -> guests.keep(StoreListening.fromNow(new KnownStores(opened.stores(), known),
                EventFilter.all(), listener, guests::leaves)));
    }

    /** The same from a cursor on, which has none of these databases either. */
    public Listening listen(Predicate<TenantId> known, EventCursor from, Consumer<PoolEvent> listener) {
        return guests.keep(StoreListening.from(from, new KnownStores(opened.stores(), known), EventFilter.all(),
                listener, guests::leaves));
    }

    /** From now on, {@code observer} is told what this process does with files; until what is returned is closed. */
    public PoolObserver.Registration observe(PoolObserver observer) {
        return opened.parts().measures().add(observer);
    }

    /** What the disk of the database has left, where that is known: the disk of a PostgreSQL is the server's. */
    public Optional<Room> room() {
        return Errors.told(opened.stores().main()::room);
    }

    /** What the volumes have still to do. */
    public Backlog backlog() {
        return Errors.told(new Backlogs(opened.stores())::count);
    }

    /**
     * Takes over, while it is open, what can be changed then: tenants that make themselves, the retry rule, the term of claims,
     * the expiry of uploads, placement, spares and probing of volumes, and cleanup but for its protected directories. All else
     * stays as it was opened with.
     */
    public void change(PoolConfig config) {
        Errors.told(() -> {
            opened.change(config);
            return true;
        });
    }

    /** Does what is due now. Needed only without {@link io.entrepot.queue.QueueConfig#background}. */
    public void tick() {
        opened.parts().queues().tick();
        jobs().tick();
    }

    /** Finishes what is under way, and leaves no thread and no open file. */
    @Override
    public void close() {
        guests.close();
        opened.close();
    }
}
