package io.entrepot.cli.access;

import io.entrepot.pool.watch.ParkedImport;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.pool.watch.WatcherStatus;
import java.util.List;

/** Watch folders, as commands use them; their paths are those of the pool's machine. */
public interface WatcherAccess {

    /** @param made its directory was not there */
    record Added(WatcherSpec spec, boolean made) {}

    List<WatcherSpec> list();

    WatcherSpec get(WatcherId id);

    WatcherStatus status(WatcherId id);

    /** @throws io.entrepot.pool.TenantNotFoundException if it is for one that there is not, and would not be made */
    Added add(WatcherSpec spec) throws InterruptedException;

    /** The same. */
    WatcherSpec update(WatcherSpec spec) throws InterruptedException;

    WatcherSpec setEnabled(WatcherId id, boolean enabled) throws InterruptedException;

    void remove(WatcherId id) throws InterruptedException;

    /**
     * Looks at everything now, and waits until what is complete is imported.
     *
     * @throws io.entrepot.pool.ScanFailedException if it cannot be looked at, or was stopped
     */
    void scan(WatcherId id) throws InterruptedException;

    /** Ends a look that is under way. */
    void stopScan(WatcherId id);

    List<ParkedImport> parked(WatcherId id);

    /** Says whether there was one of that path. */
    boolean retry(WatcherId id, String path);

    /** Says how many there were. */
    int retryAll(WatcherId id);
}
