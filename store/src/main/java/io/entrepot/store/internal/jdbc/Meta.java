package io.entrepot.store.internal.jdbc;

import java.sql.SQLException;
import java.util.Optional;

/** The facts about the database itself, as they are read when it is opened. */
public record Meta(Sql sql) {

    public Optional<String> text(String key) throws SQLException {
        return sql.query("SELECT value FROM meta WHERE key = ?", row -> row.getString(1), key).stream().findFirst();
    }

    /** 0 if it was never written. */
    public long number(String key) throws SQLException {
        return text(key).map(Long::parseLong).orElse(0L);
    }
}
