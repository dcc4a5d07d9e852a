package io.entrepot.store.internal.jdbc;

import io.entrepot.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;

/** Where databases differ in how they fail. Stateless. */
public interface Dialect {

    /** What a failure before the commit means to a caller: nothing was done. */
    StoreException notDone(SQLException e);

    /** Whether the transaction may be over with this error, so that the others of the group cannot go on. */
    boolean endsTransaction(SQLException e);

    /** Whether it failed only because of what somebody else did at the same moment, so that it is worth another try. */
    default boolean isConflict(SQLException e) {
        return false;
    }

    /** Whether nothing more can be done in a unit after one of its statements has failed. */
    boolean failsUnit();

    /** Whether a savepoint costs so much that a group is better tried without them first. */
    boolean savepointsAreDear();

    /** Whether the statement that failed like this can be used again. */
    boolean sparesStatement(SQLException e);

    /** Whether a rollback failed like this because the database had ended the transaction already. */
    boolean saysThereIsNoTransaction(SQLException e);

    /** The query for a counter, given its name and number; a row, or none if there is no such counter. */
    default String counter() {
        return "SELECT n FROM counter WHERE name = ? AND id = ?";
    }

    /**
     * Whether many rows of arguments are given as an array for each column rather than as a list of rows. An array is one
     * parameter however long it is, so there is one text to be planned, once.
     */
    boolean rowsAreArrays();

    /** By any thread: makes the statement that runs on the connection, if there is one, fail as interrupted. */
    void cancel(Connection connection) throws SQLException;
}
