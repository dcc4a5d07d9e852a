package io.entrepot.store.internal.sqlite;

import io.entrepot.store.internal.Durable;
import io.entrepot.store.internal.jdbc.Sql;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * The file of one database, and how connections to it are made.
 *
 * @param file the database file; its log is beside it
 * @param sync whether a commit waits for the disk
 * @param walBytes what is left of a log that has grown larger, once it starts over
 */
record Database(Path file, boolean sync, long walBytes) {

    /**
     * Small on purpose: with incremental vacuum, SQLite walks through all cached pages at every commit. Measured: with
     * 64 MiB that was a quarter of the writer's time, and the system's page cache has the pages anyway.
     */
    private static final int WRITER_CACHE_KIBIBYTES = 8192;

    /** Pages of 4 KiB; what SQLite makes unless told otherwise. */
    static final int PAGE = 4096;
    /** What a page takes in the log: itself and a header. */
    static final int LOGGED_PAGE = PAGE + 24;
    /** How long one waits for a lock. Nobody of us holds one for so long; another program on the file might. */
    static final int PATIENCE_MILLIS = 5000;
    /** Written into each file, so that ours can be told from those of other programs: "Entr" in ASCII. */
    static final int APPLICATION = 0x456e7472;

    /** A connection that has changed nothing yet, not even the way the file is kept. */
    Sql untouched() throws SQLException {
        return open(false, "PRAGMA synchronous = " + (sync ? "FULL" : "OFF"), "PRAGMA busy_timeout = "
                + PATIENCE_MILLIS, "PRAGMA temp_store = MEMORY", "PRAGMA foreign_keys = OFF");
    }

    /** Makes the file, empty but ours. */
    Sql made() throws SQLException {
        return open(true, "PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA application_id = " + APPLICATION,
                "PRAGMA synchronous = " + (sync ? "FULL" : "OFF"));
    }

    /**
     * Makes an {@linkplain #untouched untouched} connection the writing one. Its commits do not wait for the disk:
     * {@link LogSync} does. Its checkpoints do, before they copy and before the log starts over.
     */
    void forWriting(Sql sql) throws SQLException {
        for (String pragma : new String[]{"PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = " + (sync ? "NORMAL" : "OFF"), "PRAGMA wal_autocheckpoint = 0",
                "PRAGMA journal_size_limit = " + walBytes, "PRAGMA cache_size = -" + WRITER_CACHE_KIBIBYTES}) {
            sql.exhaust(pragma);
        }
    }

    Sql reader() throws SQLException {
        return open(false, "PRAGMA query_only = ON", "PRAGMA cache_size = -16384", "PRAGMA temp_store = MEMORY",
                "PRAGMA busy_timeout = " + PATIENCE_MILLIS);
    }

    /** For moving pages from the log into the file; its syncs count as much as a commit's. */
    Sql checkpointer() throws SQLException {
        return open(false, "PRAGMA synchronous = " + (sync ? "FULL" : "OFF"), "PRAGMA cache_size = -4096");
    }

    private Sql open(boolean create, String... pragmas) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setGetGeneratedKeys(false); // or the driver asks for them after every statement that inserts
        config.setOpenMode(SQLiteOpenMode.NOMUTEX); // a connection belongs to one thread at a time
        if (!create) {
            config.resetOpenMode(SQLiteOpenMode.CREATE);
        }
        // As a URI, since the driver takes a question mark in a plain path for the beginning of settings.
        Connection connection = config.createConnection("jdbc:sqlite:" + file.toUri());
        try (Statement statement = connection.createStatement()) {
            for (String pragma : pragmas) {
                statement.execute(pragma);
            }
            return alone(new Sql(connection, new SqliteDialect(file)), connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * The driver is told that it is not in auto-commit mode and then left alone with that belief: in auto-commit mode it
     * tries a BEGIN and a COMMIT around every statement, which costs more than the statement.
     */
    private static Sql alone(Sql sql, Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        sql.execute("ROLLBACK");
        return sql;
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
        if (logBytes() > 0) {
            Durable.anew(log());
        }
    }

    /** The length of the log's file; 0 if there is none. */
    long logBytes() {
        return log().toFile().length();
    }

    /**
     * Puts zeros at the end of the log's file and returns its length. A page at a time: the kernel keeps in one piece what is
     * written in one, and every later write of a page would walk through the whole piece.
     */
    long lengthenLog(long by) throws IOException {
        try (FileChannel channel = FileChannel.open(log(), StandardOpenOption.WRITE)) {
            long length = channel.size();
            ByteBuffer zeros = ByteBuffer.allocateDirect(PAGE);
            for (long end = length + by; length < end; length += channel.write(zeros, length)) {
                zeros.clear().limit((int) Math.min(PAGE - length % PAGE, end - length));
            }
            return length;
        }
    }

    long bytes() throws IOException {
        return Files.size(file) + logBytes();
    }
}
