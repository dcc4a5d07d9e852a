package io.entrepot.store.internal.sqlite;

import io.entrepot.store.StoreException;
import io.entrepot.store.internal.jdbc.Dialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/** How SQLite fails. */
record SqliteDialect(Path file) implements Dialect {

    @Override
    public StoreException notDone(SQLException e) {
        return Errors.notDone(e, file);
    }

    @Override
    public boolean endsTransaction(SQLException e) {
        return Errors.endsTransaction(e);
    }

    @Override
    public boolean failsUnit() {
        return false;
    }

    @Override
    public boolean savepointsAreDear() {
        return false;
    }

    @Override
    public boolean sparesStatement(SQLException e) {
        return Errors.isConstraint(e);
    }

    @Override
    public boolean saysThereIsNoTransaction(SQLException e) {
        return String.valueOf(e.getMessage()).contains("no transaction is active");
    }

    @Override
    public boolean rowsAreArrays() {
        return false;
    }

    @Override
    public void cancel(Connection connection) throws SQLException {
        connection.unwrap(SQLiteConnection.class).getDatabase().interrupt();
    }
}
