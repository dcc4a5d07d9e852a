package io.entrepot.store.internal.sqlite;

import io.entrepot.store.NotDoneException;
import io.entrepot.store.StoreDamagedException;
import io.entrepot.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;

/** What SQLite's result codes mean to a caller. */
final class Errors {
    private static final int READONLY = 8;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int NOTADB = 26;

    private Errors() {}

    /** A failure before the commit: nothing was done. */
    static StoreException notDone(SQLException e, Path file) {
        return switch (e.getErrorCode() & 0xff) {
            case CORRUPT, NOTADB -> damaged(e, file);
            case FULL -> NotDoneException.diskFull("the disk of " + file + " is full; nothing was changed", e);
            case READONLY -> NotDoneException.notWritable(file + " cannot be written to: " + e.getMessage(), e);
            case IOERR, CANTOPEN -> NotDoneException.io(file + ": " + e.getMessage(), e);
            default -> NotDoneException.refused(String.valueOf(e.getMessage()), e);
        };
    }

    static StoreDamagedException damaged(SQLException e, Path file) {
        return new StoreDamagedException("the database " + file + " is damaged (" + e.getMessage()
                + "); nothing was removed. Restore it from a backup", e);
    }

    /** Whether the error concerns only the statement, so that the others of its group can go on. */
    static boolean concernsOnlyItsUnit(Throwable e) {
        return !(e instanceof StoreException)
                || (e instanceof NotDoneException notDone && notDone.code().equals("store.refused"));
    }
}
