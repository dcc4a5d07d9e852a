package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.store.Counter;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was imported, in the store of the tenant it was imported for. A record is written in the same transaction as the file, so
 * that one is there if and only if the other is; it stays until its source is gone for a while, as a removal that was not synced
 * may be undone by a power cut. Without state.
 */
public final class ImportBook {
    private static final String COLUMNS = "s.watcher, s.path, s.device, s.inode, s.birth, s.size, s.mtime, s.ctime, s.alias,"
            + " s.state, s.tenant, s.file, s.nonce";
    private static final List<State> STATES = List.of(State.RECORDED, State.KEPT, State.DONE);

    private ImportBook() {}

    /** What became of a source. */
    public enum State {
        /** It was imported, and is to be removed or moved. */
        RECORDED,
        /** It was imported, and stays. */
        KEPT,
        /** It was imported, and is gone. */
        DONE
    }

    /** A source that was imported, and the file it became. */
    public record Row(long tenant, ImportSource source, FileKey file, State state) {}

    public static Counter files(long watcher) {
        return new Counter("pool.imported.files", watcher);
    }

    public static Counter bytes(long watcher) {
        return new Counter("pool.imported.bytes", watcher);
    }

    /** The sources of one transaction, of many writers. */
    static final class Imports {
        private final Transaction tx;
        private final List<@Nullable Object[]> rows = new ArrayList<>();
        /** Those that were imported, before or in this very transaction. */
        private final Map<Known, FileKey> known = new HashMap<>();

        private record Known(long tenant, long watcher, long inode, long birth, long size, long mtime, String alias) {}

        private record Imported(Known source, FileKey file) {}

        /** @param inodes tenant, watcher and inode of each source there will be: they are asked for at once */
        Imports(Transaction tx, List<@Nullable Object[]> inodes) {
            this.tx = tx;
            tx.queryEach("WITH e (tenant, watcher, inode) AS (VALUES $rows) SELECT s.tenant, s.watcher, s.inode,"
                    + " s.birth, s.size, s.mtime, s.alias, s.file, s.nonce FROM e JOIN import_source s"
                    + " ON s.tenant = e.tenant AND s.watcher = e.watcher AND s.inode = e.inode",
                    row -> new Imported(new Known(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4),
                            row.getLong(5), row.getLong(6), row.getString(7)),
                            new FileKey(row.getLong(8), row.getLong(9))),
                    inodes).forEach(one -> known.put(one.source, one.file));
        }

        /** The file that the source became, if it was imported before. */
        Optional<FileKey> earlier(long tenant, ImportSource source) {
            FileKey same = known.get(known(tenant, source, ""));
            return Optional.ofNullable(same == null ? known.get(known(tenant, source, source.path())) : same);
        }

        void add(long tenant, ImportSource source, FileRow file) {
            known.put(known(tenant, source, source.alias()), file.key());
            rows.add(new Object[]{tenant, source.watcher(), source.inode(), source.birth(), source.size(),
                    source.mtime(), source.alias(), source.path(), source.device(), source.ctime(),
                    file.key().number(), file.key().nonce(),
                    STATES.indexOf(source.keep() ? State.KEPT : State.RECORDED), tx.now()});
            tx.add(files(source.watcher()), 1);
            tx.add(bytes(source.watcher()), file.size());
        }

        void insert() {
            tx.updateEach("INSERT INTO import_source (tenant, watcher, inode, birth, size, mtime, alias, path, device,"
                    + " ctime, file, nonce, state, at) VALUES $rows", rows);
        }

        private static Known known(long tenant, ImportSource source, String alias) {
            return new Known(tenant, source.watcher(), source.inode(), source.birth(), source.size(), source.mtime(),
                    alias);
        }
    }

    /** Of sources with these inodes, by inode; what else they are is for the caller to compare. */
    public static Map<Long, List<Row>> find(Snapshot snapshot, long tenant, long watcher, Collection<Long> inodes) {
        List<@Nullable Object[]> keys = new ArrayList<>(inodes.size());
        inodes.forEach(inode -> keys.add(new Object[]{tenant, watcher, inode}));
        Map<Long, List<Row>> found = new HashMap<>();
        snapshot.queryEach("WITH e (tenant, watcher, inode) AS (VALUES $rows) SELECT " + COLUMNS
                + " FROM e JOIN import_source s ON s.tenant = e.tenant AND s.watcher = e.watcher"
                + " AND s.inode = e.inode", ImportBook::read, keys)
                .forEach(row -> found.computeIfAbsent(row.source.inode(), _ -> new ArrayList<>()).add(row));
        return found;
    }

    /** Those of a watcher that are in a state for longer than until then, oldest first. */
    public static List<Row> in(Snapshot snapshot, long watcher, State state, long until, int most) {
        return snapshot.query("SELECT " + COLUMNS + " FROM import_source s WHERE s.watcher = ? AND s.state = ?"
                + " AND s.at <= ? ORDER BY s.at LIMIT ?", ImportBook::read, watcher, STATES.indexOf(state), until,
                most);
    }

    /** Sets the state of a record, and where and how its source is now. */
    public static void mark(Transaction tx, Collection<Row> rows) {
        Map<List<Object>, @Nullable Object[]> last = new LinkedHashMap<>();
        for (Row row : rows) {
            ImportSource source = row.source;
            last.put(List.of(row.tenant, source.watcher(), source.inode(), source.birth(), source.size(),
                    source.mtime(), row.file.number()),
                    new Object[]{row.tenant, source.watcher(), source.inode(), source.birth(), source.size(),
                            source.mtime(), row.file.number(), STATES.indexOf(row.state), tx.now(), source.path(),
                            source.device(), source.ctime()});
        }
        tx.updateEach(
                """
                WITH e (tenant, watcher, inode, birth, size, mtime, file, state, at, path, device, ctime)
                AS (VALUES $rows)
                UPDATE import_source SET state = e.state, at = e.at, path = e.path, device = e.device, ctime = e.ctime
                FROM e WHERE import_source.tenant = e.tenant AND import_source.watcher = e.watcher
                AND import_source.inode = e.inode AND import_source.birth = e.birth AND import_source.size = e.size
                AND import_source.mtime = e.mtime AND import_source.file = e.file
                """, List.copyOf(last.values()));
    }

    /** Forgets sources that are gone since before then. Says how many. */
    public static int forget(Transaction tx, long watcher, long before, int most) {
        return tx
                .update("DELETE FROM import_source WHERE (tenant, watcher, inode, birth, size, mtime, alias) IN (SELECT"
                        + " tenant, watcher, inode, birth, size, mtime, alias FROM import_source WHERE watcher = ? AND state = ?"
                        + " AND at < ? ORDER BY at LIMIT ?)", watcher, STATES.indexOf(State.DONE), before, most);
    }

    /** Forgets some of what a watcher has imported; it may be millions. Says how many, and none when that was all. */
    public static int forgetSome(Transaction tx, long watcher, int most) {
        int forgotten = tx.update("DELETE FROM import_source WHERE (tenant, watcher, inode, birth, size, mtime, alias)"
                + " IN (SELECT tenant, watcher, inode, birth, size, mtime, alias FROM import_source WHERE watcher = ?"
                + " LIMIT ?)", watcher, most);
        if (forgotten == 0) {
            tx.add(files(watcher), -tx.count(files(watcher)));
            tx.add(bytes(watcher), -tx.count(bytes(watcher)));
        }
        return forgotten;
    }

    private static Row read(ResultSet row) throws SQLException {
        boolean several = !row.getString(9).isEmpty();
        State state = STATES.get(row.getInt(10));
        ImportSource source = new ImportSource(row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4),
                row.getLong(5), row.getLong(6), row.getLong(7), row.getLong(8), several, state == State.KEPT);
        return new Row(row.getLong(11), source, new FileKey(row.getLong(12), row.getLong(13)), state);
    }
}
