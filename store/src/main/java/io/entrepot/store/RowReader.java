package io.entrepot.store;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Turns the current row of a result into a value. Must not move the cursor. */
@FunctionalInterface
public interface RowReader<T> {

    T read(ResultSet row) throws SQLException;
}
