package io.entrepot.store.internal.sqlite;

import io.entrepot.store.NotDoneException;
import io.entrepot.store.StoreDamagedException;
import io.entrepot.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;

/** What SQLite's result codes mean to a caller. */
final class Errors {
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int NO_MEMORY = 7;
    private static final int READONLY = 8;
    private static final int INTERRUPT = 9;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int PROTOCOL = 15;
    private static final int CONSTRAINT = 19;
    private static final int NOTADB = 26;

    private Errors() {}

    /** A failure before the commit: nothing was done. */
    static StoreException notDone(SQLException e, Path file) {
        return switch (code(e)) {
            case CORRUPT, NOTADB -> damaged(e, file);
            case FULL -> NotDoneException.diskFull("the disk of " + file + " is full; nothing was changed", e);
            case READONLY -> NotDoneException.notWritable(file + " cannot be written to: " + e.getMessage(), e);
            case BUSY, LOCKED -> NotDoneException.io(file + " is locked by another program: " + e.getMessage(), e);
            case NO_MEMORY, INTERRUPT, IOERR, CANTOPEN, PROTOCOL -> NotDoneException.io(file + ": " + e.getMessage(),
                    e);
            default -> NotDoneException.refused(String.valueOf(e.getMessage()), e);
        };
    }

    /** A failure to open the file at all. */
    static StoreException notOpened(SQLException e, Path file) {
        return code(e) == CANTOPEN
                ? NotDoneException.notWritable(file + " cannot be opened; look at its permissions, at those of its"
                        + " directory and at the number of open files: " + e.getMessage(), e)
                : notDone(e, file);
    }

    static StoreDamagedException damaged(Exception e, Path file) {
        return new StoreDamagedException("the database " + file + " is damaged (" + e.getMessage()
                + "); nothing was removed. Restore it from a backup", e);
    }

    /** Whether SQLite may have ended the transaction with this error, so that the others of the group cannot go on. */
    static boolean endsTransaction(SQLException e) {
        return switch (code(e)) {
            case BUSY, LOCKED, NO_MEMORY, READONLY, INTERRUPT, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB -> true;
            default -> false;
        };
    }

    /** Whether there was no space for it on the disk. */
    static boolean isFull(SQLException e) {
        return code(e) == FULL;
    }

    /** The most ordinary of errors, which leaves the statement usable. */
    static boolean isConstraint(SQLException e) {
        return code(e) == CONSTRAINT;
    }

    private static int code(SQLException e) {
        return e.getErrorCode() & 0xff;
    }
}
