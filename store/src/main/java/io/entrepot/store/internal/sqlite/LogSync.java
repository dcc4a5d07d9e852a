package io.entrepot.store.internal.sqlite;

import io.entrepot.store.Faults;
import io.entrepot.store.StoreClosedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Commits, and knows which commits are on the disk.
 *
 * <p>SQLite commits without waiting for the disk ({@code synchronous = NORMAL}); then the committing thread syncs the log
 * itself. SQLite would also sync the time of the file, which goes through the file system's journal and which nobody needs.
 *
 * <p>Between the two, a new snapshot shows what a power cut can still take back. So whoever has taken one waits here, until
 * every commit that had begun by then is on the disk, before reading from it.
 *
 * <p>A commit of which something is to be undone counts only together with the next one, which does that; and whoever has it in
 * its snapshot without the next one takes another.
 *
 * <p>INVARIANT: a commit counts as durable only after a sync that began when it had returned. Once something has failed,
 * nothing counts any more, whatever a later sync says.
 *
 * <p>One thread commits, any number wait. Guarded by itself, but for the channel, which is the committing thread's.
 */
final class LogSync implements AutoCloseable {
    private final Database database;
    private final Faults faults;
    private long begun;
    private long durable;
    /** The last commit of which something was to be undone. */
    private long spoiled;
    private boolean failed;
    private volatile boolean undoesNothing;
    private @Nullable FileChannel log;

    /** The commit itself. */
    interface Commit {
        void run() throws SQLException;
    }

    LogSync(Database database, Faults faults) {
        this.database = database;
        this.faults = faults;
    }

    /**
     * Throws {@link io.entrepot.store.NotDoneException} if there was no room for it, and nothing is done.
     * Returns when the commit is on the disk, and {@code stands} has said after that whether nothing of it is to be undone: nobody
     * reads from it before. {@code changed}: whether there is anything to be put there.
     */
    void commit(Commit commit, boolean changed, BooleanSupplier stands) throws SQLException {
        begin();
        boolean known = false;
        try {
            commit.run();
            if (changed) {
                sync();
            }
            end(stands.getAsBoolean());
            known = true;
        } catch (SQLException e) {
            if (Errors.isFull(e)) { // so says SQLite, and not the sync
                withdraw();
                known = true;
                throw Errors.notDone(e, database.file());
            }
            throw e;
        } finally {
            if (!known) {
                fail();
            }
        }
    }

    /**
     * A log that has no room for a commit does not have it: what is missing is at least the end of its last page, and the pages before
     * count only with that. Readers have seen nothing of it, and the next commit writes over it.
     */
    private synchronized void withdraw() {
        begun--;
        notifyAll();
    }

    private synchronized void begin() {
        begun++;
    }

    private synchronized void end(boolean stands) {
        if (stands) {
            durable = begun;
            notifyAll();
        } else {
            spoiled = begun;
        }
    }

    /** Nobody knows what stands. */
    synchronized void fail() {
        failed = true;
        notifyAll();
    }

    /**
     * From now on, whatever a commit waits for is awaited before it is made, so that nothing of it is undone later. One chore at a
     * time asks for that, while others would be in its way for ever.
     */
    void undoesNothing(boolean wanted) {
        undoesNothing = wanted;
    }

    boolean undoesNothing() {
        return undoesNothing;
    }

    /** How far it counts now. */
    synchronized long durable() {
        return durable;
    }

    /** Whatever is thrown here, it is after the commit: it must not be taken for "not done". */
    private void sync() throws SQLException {
        boolean interrupted = Thread.interrupted(); // it would close the channel
        try {
            faults.reach(Faults.Point.SYNC);
            if (database.sync()) {
                if (log == null) {
                    log = FileChannel.open(database.log(), StandardOpenOption.WRITE);
                }
                log.force(false);
            }
        } catch (IOException | RuntimeException e) {
            throw new SQLException("the sync of " + database.log() + " failed: " + e.getMessage(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits until every commit that has begun is on the disk. Whether a snapshot that was taken since it counted as far as {@code before} can be
     * used: it cannot if it may have something that was undone.
     */
    synchronized boolean await(long before) {
        long seen = begun;
        boolean interrupted = false;
        while (durable < Math.min(seen, begun) && !failed) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failed) {
            throw new StoreClosedException("the store is closed since a commit failed; open it again", null);
        }
        return spoiled <= before;
    }

    /** When nobody commits any more. */
    @Override
    public void close() throws IOException {
        if (log != null) {
            log.close();
        }
    }
}
