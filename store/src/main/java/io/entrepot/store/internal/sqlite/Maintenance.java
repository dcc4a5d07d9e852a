package io.entrepot.store.internal.sqlite;

import io.entrepot.lease.Ticker;
import io.entrepot.store.CompactionReport;
import io.entrepot.store.IntegrityReport;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.StoreException;
import io.entrepot.store.internal.Durable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntToLongFunction;

/** Long work on a whole database, on a connection and a platform thread of its own while the store goes on. */
final class Maintenance {
    private static final Ticker REAL = Ticker.system();
    /** Pages given back per step: half a mebibyte, a few milliseconds. */
    private static final int STEP_PAGES = 128;
    private static final int MOST_PROBLEMS = 100;

    private final Database database;

    Maintenance(Database database) {
        this.database = database;
    }

    void backup(Path target) {
        if (Files.exists(target)) {
            throw NotDoneException.refused("there is something at " + target + " already; a backup overwrites nothing",
                    null);
        }
        Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
        apart(() -> {
            Files.deleteIfExists(unfinished);
            try (Sql sql = database.reader()) {
                sql.execute("PRAGMA query_only = OFF");
                sql.update("VACUUM INTO ?", unfinished.toString());
            }
            Durable.replace(unfinished, target);
            return target;
        });
    }

    IntegrityReport check() {
        return apart(() -> {
            try (Sql sql = database.reader()) {
                List<String> found = sql.query("PRAGMA integrity_check(" + MOST_PROBLEMS + ")",
                        row -> row.getString(1));
                return new IntegrityReport(found.equals(List.of("ok")) ? List.of() : found);
            } catch (SQLException e) {
                return new IntegrityReport(List.of(String.valueOf(Errors.notDone(e, database.file()).getMessage())));
            }
        });
    }

    /** {@code free} gives back so many pages as a unit of work and returns how many unused ones are left. */
    CompactionReport compact(IntToLongFunction free, Checkpointer checkpointer) {
        return apart(() -> {
            checkpointer.truncate();
            long before = database.bytes();
            long longest = 0;
            long left;
            do {
                long began = REAL.nanos();
                left = free.applyAsLong(STEP_PAGES);
                longest = Math.max(longest, REAL.nanos() - began);
            } while (left > 0);
            checkpointer.truncate();
            return new CompactionReport(before, database.bytes(), Duration.ofNanos(longest));
        });
    }

    private <R> R apart(Callable<R> work) {
        FutureTask<R> task = new FutureTask<>(work);
        Thread thread = Thread.ofPlatform().daemon().name("store-maintenance").start(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw NotDoneException.io("interrupted", e);
        } catch (ExecutionException e) {
            throw switch (e.getCause()) {
                case StoreException cause -> cause;
                case SQLException cause -> Errors.notDone(cause, database.file());
                case IOException cause -> NotDoneException.io(String.valueOf(cause), cause);
                case RuntimeException cause -> cause;
                case null, default -> new IllegalStateException(e);
            };
        }
    }
}
