package io.entrepot.store.internal.sqlite;

import io.entrepot.lease.Ticker;
import io.entrepot.store.CompactionReport;
import io.entrepot.store.IntegrityReport;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.StoreException;
import io.entrepot.store.internal.Durable;
import io.entrepot.store.internal.jdbc.JdbcEvents;
import io.entrepot.store.internal.jdbc.JdbcSnapshot;
import io.entrepot.store.internal.jdbc.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Long work on a whole database, on a connection and a thread of its own ({@link Chores}) while the store goes on. */
final class Maintenance {
    private static final Ticker REAL = Ticker.system();
    /** Pages given back per step: half a mebibyte, a few milliseconds. */
    private static final int STEP_PAGES = 128;
    private static final int MOST_PROBLEMS = 100;
    /** How often the log is tried to be cut off, when readers are in the way. */
    private static final int TRIES = 20;

    private final Database database;
    private final LogSync log;

    /** What compaction needs the committing thread for, each as a unit of work of its own. */
    interface Writer {

        /** Gives back so many pages, maybe none, and returns how many unused ones are left. */
        long free(int pages);

        /** Empties the log and cuts it off; says whether nobody was in the way. */
        boolean truncateLog();
    }

    Maintenance(Database database, LogSync log) {
        this.database = database;
        this.log = log;
    }

    void backup(Path target, Chores.Chore chore) throws SQLException, IOException {
        Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
        try {
            // The copy might have what the original loses, or has undone: then another one, in which time nothing is undone.
            while (!copied(unfinished, chore)) {
                log.undoesNothing(true);
            }
            Durable.replace(unfinished, target);
        } finally {
            log.undoesNothing(false);
            Files.deleteIfExists(unfinished);
        }
    }

    /** Whether all that the copy has is to stay. */
    private boolean copied(Path to, Chores.Chore chore) throws SQLException, IOException {
        long before = log.durable();
        Files.deleteIfExists(to);
        Durable.createPrivate(to);
        try (Sql sql = chore.using(database.reader())) {
            sql.exhaust("PRAGMA query_only = OFF");
            sql.update("VACUUM INTO ?", to.toString());
        }
        chore.goOn();
        return log.await(before);
    }

    IntegrityReport check(Chores.Chore chore) {
        List<String> problems = new ArrayList<>();
        try (Sql sql = chore.using(database.reader())) {
            sql.execute("BEGIN");
            sql.query("PRAGMA integrity_check(" + MOST_PROBLEMS + ")", row -> row.getString(1)).stream()
                    .filter(found -> !found.equals("ok")).forEach(problems::add);
            JdbcSnapshot snapshot = new JdbcSnapshot(sql);
            snapshot.handOver(0);
            problems.addAll(JdbcEvents.problems(snapshot));
        } catch (SQLException e) {
            chore.goOn();
            problems.add(String.valueOf(Errors.notDone(e, database.file()).getMessage()));
        } catch (StoreException e) {
            chore.goOn();
            problems.add(String.valueOf(e.getMessage()));
        }
        return new IntegrityReport(problems);
    }

    CompactionReport compact(Writer writer, Chores.Chore chore) throws IOException {
        truncate(writer, chore);
        long before = database.bytes();
        long longest = 0;
        long left = Long.MAX_VALUE;
        // What others free meanwhile is left for the next time, or a busy store would be compacted without end.
        for (long steps = writer.free(0) / STEP_PAGES + 1; steps > 0 && left > 0; steps--) {
            chore.goOn();
            long began = REAL.nanos();
            left = writer.free(STEP_PAGES);
            longest = Math.max(longest, REAL.nanos() - began);
        }
        truncate(writer, chore);
        return new CompactionReport(before, database.bytes(), Duration.ofNanos(longest));
    }

    private static void truncate(Writer writer, Chores.Chore chore) {
        for (int i = 0; i < TRIES && !writer.truncateLog(); i++) {
            chore.goOn();
        }
    }

    static void requireNothingAt(Path target) {
        if (Files.exists(target)) {
            throw NotDoneException.refused("there is something at " + target + " already; a backup overwrites nothing",
                    null);
        }
    }
}
