package io.entrepot.store.internal.sqlite;

import io.entrepot.store.Incarnation;
import io.entrepot.store.IncompatibleDataException;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Schema;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreDamagedException;
import io.entrepot.store.internal.Durable;
import io.entrepot.store.internal.Migrations;
import io.entrepot.store.internal.jdbc.Lives;
import io.entrepot.store.internal.jdbc.Sql;
import io.entrepot.store.internal.sqlite.SqliteStore.Life;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is done to a database file before the store can work on it: it is made, or looked at; its tables are brought to
 * the version of this software; its life begins or goes on.
 *
 * <p>A new file gets its name only when it is complete and on the disk. So whatever is found under that name was a whole
 * database once: a file of no length, or a log without its file, is damage and not a beginning.
 */
final class Preparation {
    static final String DIALECT = "sqlite";
    private static final Schema OWN = new Schema("store", Store.class, 1);

    private final Path file;
    private final StoreConfig config;
    private final Migrations migrations;

    Preparation(Path file, StoreConfig config) {
        this.file = file;
        this.config = config;
        List<Schema> schemas = new ArrayList<>(List.of(OWN));
        schemas.addAll(config.schemas());
        this.migrations = new Migrations(DIALECT, schemas);
    }

    /** Makes the file if there is none, unless there must be one. */
    void makeIfMissing(Database database, Life life) throws SQLException, IOException {
        if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            if (life != Life.ANY) {
                throw new StoreDamagedException("the database " + file + " is missing. Restore it from a backup", null);
            }
            requireNoLog(database);
            Path unfinished = file.resolveSibling(file.getFileName() + ".new");
            Files.deleteIfExists(unfinished);
            Durable.createPrivate(unfinished);
            new Database(unfinished, false, config.walBytes()).made().close();
            Durable.syncPath(directory());
            Durable.replace(unfinished, file);
        }
    }

    private Path directory() {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file : parent;
    }

    private void requireNoLog(Database database) {
        if (database.logBytes() > 0) {
            throw new StoreDamagedException("the database " + file + " is missing, but its log " + database.log()
                    + " is there; nothing was removed. Put the file back, or restore it from a backup", null);
        }
    }

    /** Refuses what cannot be a whole database of ours, before anything is changed. */
    void requireFile() throws IOException {
        if (!Files.isRegularFile(file)) {
            throw NotDoneException.notWritable(file + " is not a file; a database belongs there", null);
        }
        if (Files.size(file) == 0) {
            throw new StoreDamagedException("the database " + file
                    + " is damaged (it is empty); nothing was removed. Restore it from a backup", null);
        }
    }

    /** Refuses what is not ours or newer than this software, before anything is changed. */
    void requireKnown(Sql untouched) throws SQLException {
        int application = untouched.query("PRAGMA application_id", row -> row.getInt(1)).getFirst();
        if (application != Database.APPLICATION) {
            throw new IncompatibleDataException(file + " is a database of another program; move it away");
        }
    }

    /** Before anybody else is here. */
    Incarnation begin(SqliteTransaction tx, Life life) throws SQLException {
        return new Lives(migrations, config.nonces(), file.toString()).begin(tx, life == Life.RESTORED);
    }
}
