package io.entrepot.store.internal.sqlite;

import io.entrepot.store.internal.Durable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * The file of one database, and how connections to it are made.
 *
 * @param file the database file; its log is beside it
 * @param sync whether a commit waits for the disk
 */
record Database(Path file, boolean sync) {

    /** Pages of 4 KiB; what SQLite makes unless told otherwise. */
    static final int PAGE = 4096;

    Sql writer() throws SQLException {
        // A new file takes its layout from these two; an old one keeps its own.
        Sql sql = open("PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = " + (sync ? "FULL" : "OFF"), "PRAGMA wal_autocheckpoint = 0",
                "PRAGMA cache_size = -65536", "PRAGMA temp_store = MEMORY", "PRAGMA foreign_keys = OFF");
        return sql;
    }

    Sql reader() throws SQLException {
        return open("PRAGMA query_only = ON", "PRAGMA cache_size = -16384", "PRAGMA temp_store = MEMORY",
                "PRAGMA busy_timeout = 5000");
    }

    /** For moving pages from the log into the file, and for long reads; its syncs count as much as a commit's. */
    Sql checkpointer() throws SQLException {
        return open("PRAGMA synchronous = " + (sync ? "FULL" : "OFF"), "PRAGMA cache_size = -4096");
    }

    private Sql open(String... pragmas) throws SQLException {
        // Otherwise the driver prepares and runs a query for the last row's number after every INSERT.
        Properties quick = new Properties();
        quick.setProperty("jdbc.get_generated_keys", "false");
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file, quick);
        try (Statement statement = connection.createStatement()) {
            for (String pragma : pragmas) {
                statement.execute(pragma);
            }
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return new Sql(connection);
    }

    Path log() {
        return file.resolveSibling(file.getFileName() + "-wal");
    }

    /**
     * Writes the log that a crash left behind anew, before anybody reads it. If a sync of it failed, the system may
     * show us pages that are not on the disk and will never be, while telling the next sync that all is well. What we
     * write ourselves is synced or fails.
     */
    void secureLog() throws IOException {
        if (Files.exists(log()) && Files.size(log()) > 0) {
            Durable.copy(log(), log());
        }
    }

    long bytes() throws IOException {
        return Files.size(file) + (Files.exists(log()) ? Files.size(log()) : 0);
    }
}
