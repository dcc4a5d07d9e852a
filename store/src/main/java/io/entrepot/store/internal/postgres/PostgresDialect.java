package io.entrepot.store.internal.postgres;

import io.entrepot.store.NotDoneException;
import io.entrepot.store.StoreDamagedException;
import io.entrepot.store.StoreException;
import io.entrepot.store.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** How PostgreSQL fails, by the classes of SQLSTATE. */
record PostgresDialect(String where) implements Dialect {

    @Override
    public StoreException notDone(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        String message = String.valueOf(e.getMessage());
        if (isLost(e)) {
            return NotDoneException.io(where + " cannot be reached: " + message, e);
        }
        return switch (state.length() == 5 ? state.substring(0, 2) : "") {
            case "53" -> isFull(e)
                    ? NotDoneException.diskFull(where + ": the database's disk is full; nothing was changed", e)
                    : NotDoneException.io(where + " is short of something: " + message, e);
            case "40", "55", "57", "58" -> NotDoneException.io(where + ": " + message, e);
            case "XX" -> new StoreDamagedException(where + " is damaged (" + message + "); nothing was removed", e);
            case "28", "3D" -> NotDoneException.notWritable(where + " cannot be opened: " + message, e);
            default -> NotDoneException.refused(message, e);
        };
    }

    /** Whether the server's disk has no room. */
    static boolean isFull(SQLException e) {
        return "53100".equals(e.getSQLState());
    }

    /** Whether the connection is gone, and whatever was under way with it. */
    static boolean isLost(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.startsWith("08") || state.startsWith("57P");
    }

    /** Everything that was done in the transaction is gone with the connection, or with a conflict that ended it. */
    @Override
    public boolean endsTransaction(SQLException e) {
        return isLost(e) || isConflict(e);
    }

    /** A serialization failure or a deadlock. */
    @Override
    public boolean isConflict(SQLException e) {
        return String.valueOf(e.getSQLState()).startsWith("40");
    }

    @Override
    public boolean failsUnit() {
        return true;
    }

    /** Each of its statements is a round trip. */
    @Override
    public boolean savepointsAreDear() {
        return true;
    }

    @Override
    public boolean sparesStatement(SQLException e) {
        return !isLost(e);
    }

    @Override
    public boolean saysThereIsNoTransaction(SQLException e) {
        return isLost(e);
    }

    @Override
    public String counter() {
        return Tally.COUNT;
    }

    @Override
    public boolean rowsAreArrays() {
        return true;
    }

    @Override
    public void cancel(Connection connection) throws SQLException {
        connection.unwrap(PGConnection.class).cancelQuery();
    }
}
