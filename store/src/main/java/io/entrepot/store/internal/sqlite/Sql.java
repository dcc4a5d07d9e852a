package io.entrepot.store.internal.sqlite;

import io.entrepot.store.RowReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One connection with its prepared statements. Belongs to one thread at a time.
 *
 * <p>The driver is told that it is not in auto-commit mode and then left alone with that belief, while BEGIN and COMMIT
 * are ours: in auto-commit mode it tries a BEGIN and a COMMIT around every statement, which costs more than the
 * statement.
 */
final class Sql implements AutoCloseable {
    /** One statement text has at most this many rows; a list is cut into these sizes, so few texts are ever prepared. */
    private static final int[] ROWS = {256, 64, 16, 4, 1};

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private final Map<String, String[]> expanded = new HashMap<>();

    Sql(Connection connection) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
        execute("ROLLBACK");
    }

    void execute(String sql) throws SQLException {
        prepared(sql).execute();
    }

    /** Runs a statement to its end although it returns nothing; some pragmas do a part of their work at each step. */
    void exhaust(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    int update(String sql, @Nullable Object... args) throws SQLException {
        PreparedStatement statement = prepared(sql);
        bind(statement, 1, args);
        return statement.executeUpdate();
    }

    <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... args) throws SQLException {
        PreparedStatement statement = prepared(sql);
        bind(statement, 1, args);
        List<T> rows = new ArrayList<>();
        read(statement, reader, rows);
        return rows;
    }

    int updateEach(String sql, List<@Nullable Object[]> rows, @Nullable Object... args) throws SQLException {
        int changed = 0;
        for (int from = 0; from < rows.size();) {
            int n = chunk(rows.size() - from);
            changed += boundEach(sql, rows.subList(from, from + n), args).executeUpdate();
            from += n;
        }
        return changed;
    }

    <T> List<T> queryEach(String sql, RowReader<T> reader, List<@Nullable Object[]> rows, @Nullable Object... args)
            throws SQLException {
        List<T> results = new ArrayList<>();
        for (int from = 0; from < rows.size();) {
            int n = chunk(rows.size() - from);
            read(boundEach(sql, rows.subList(from, from + n), args), reader, results);
            from += n;
        }
        return results;
    }

    private static <T> void read(PreparedStatement statement, RowReader<T> reader, List<T> into) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                into.add(reader.read(row));
            }
        }
    }

    private PreparedStatement boundEach(String sql, List<@Nullable Object[]> rows, @Nullable Object[] args)
            throws SQLException {
        PreparedStatement statement = prepared(expand(sql, rows.size(), rows.getFirst().length));
        int at = 1;
        for (@Nullable
        Object[] row : rows) {
            at = bind(statement, at, row);
        }
        bind(statement, at, args);
        return statement;
    }

    private static int chunk(int left) {
        for (int size : ROWS) {
            if (size <= left) {
                return size;
            }
        }
        throw new IllegalStateException("no rows left");
    }

    private String expand(String sql, int rows, int columns) {
        String[] texts = expanded.computeIfAbsent(sql, _ -> new String[ROWS[0] + 1]);
        String text = texts[rows];
        if (text == null) {
            String row = "(" + "?,".repeat(columns - 1) + "?)";
            text = sql.replace("$rows", (row + ",").repeat(rows - 1) + row);
            texts[rows] = text;
        }
        return text;
    }

    private static int bind(PreparedStatement statement, int from, @Nullable Object[] args) throws SQLException {
        int at = from;
        for (Object arg : args) {
            statement.setObject(at++, arg);
        }
        return at;
    }

    private PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        return statement;
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement : statements.values()) {
            statement.close();
        }
        connection.close();
    }
}
