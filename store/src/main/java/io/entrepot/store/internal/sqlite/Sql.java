package io.entrepot.store.internal.sqlite;

import io.entrepot.store.RowReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;

/**
 * One connection with its prepared statements. Belongs to one thread at a time, but for {@link #cancel}.
 *
 * <p>The driver is told that it is not in auto-commit mode and then left alone with that belief, while BEGIN and COMMIT
 * are ours: in auto-commit mode it tries a BEGIN and a COMMIT around every statement, which costs more than the
 * statement.
 */
final class Sql implements AutoCloseable {
    /** Texts are meant to be few. If they are not, the oldest are let go rather than the memory. */
    private static final int MOST_PREPARED = 512;

    private static final @Nullable Object[] NOTHING = {};

    private final Connection connection;
    private final SequencedMap<String, Prepared> statements = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<Expansion, String> expanded = new HashMap<>();
    private final Object closing = new Object();

    private record Prepared(PreparedStatement statement, int parameters) {}

    private record Expansion(String sql, int rows, int columns) {}

    Sql(Connection connection) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
        execute("ROLLBACK");
    }

    void execute(String sql) throws SQLException {
        run(sql, List.of(), NOTHING, PreparedStatement::execute);
    }

    /** Runs a statement to its end and drops what it returns: a pragma that returns a row is under way until then. */
    void exhaust(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    int update(String sql, @Nullable Object... args) throws SQLException {
        return run(sql, List.of(), args, PreparedStatement::executeUpdate);
    }

    <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... args) throws SQLException {
        return run(sql, List.of(), args, statement -> rows(statement, reader));
    }

    int updateEach(String sql, List<@Nullable Object[]> rows, @Nullable Object... args) throws SQLException {
        int changed = 0;
        for (int from = 0; from < rows.size();) {
            int n = chunk(rows.size() - from);
            List<@Nullable Object[]> some = rows.subList(from, from + n);
            changed += run(expand(sql, some), some, args, PreparedStatement::executeUpdate);
            from += n;
        }
        return changed;
    }

    <T> List<T> queryEach(String sql, RowReader<T> reader, List<@Nullable Object[]> rows, @Nullable Object... args)
            throws SQLException {
        List<T> results = new ArrayList<>();
        for (int from = 0; from < rows.size();) {
            int n = chunk(rows.size() - from);
            List<@Nullable Object[]> some = rows.subList(from, from + n);
            results.addAll(run(expand(sql, some), some, args, statement -> rows(statement, reader)));
            from += n;
        }
        return results;
    }

    private static <T> List<T> rows(PreparedStatement statement, RowReader<T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                rows.add(reader.read(row));
            }
        }
        return rows;
    }

    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    private <T> T run(String sql, List<@Nullable Object[]> rows, @Nullable Object[] args, Execution<T> execution)
            throws SQLException {
        Prepared prepared = prepared(sql);
        int given = args.length;
        for (@Nullable
        Object[] row : rows) {
            given += row.length;
        }
        if (given != prepared.parameters) {
            // The driver would take the missing ones from the statement's last use.
            throw new SQLException(given + " argument(s) for " + prepared.parameters + " parameter(s) of: " + sql);
        }
        int at = 1;
        for (@Nullable
        Object[] row : rows) {
            at = bind(prepared.statement, at, row);
        }
        bind(prepared.statement, at, args);
        try {
            return execution.of(prepared.statement);
        } catch (SQLException e) {
            if (!Errors.isConstraint(e)) {
                // After most errors the driver has closed the statement; it would fail for ever.
                statements.remove(sql);
                prepared.statement.close();
            }
            throw e;
        }
    }

    private static int bind(PreparedStatement statement, int from, @Nullable Object[] args) throws SQLException {
        int at = from;
        for (Object arg : args) {
            statement.setObject(at++, arg);
        }
        return at;
    }

    /** How many rows one statement takes: such that few texts are ever prepared, and few statements are run. */
    private static int chunk(int left) {
        if (left >= 64) {
            return left >= 256 ? 256 : 64;
        }
        return left <= 16 ? left : left & ~3;
    }

    private String expand(String sql, List<@Nullable Object[]> some) {
        if (expanded.size() > MOST_PREPARED) {
            expanded.clear();
        }
        return expanded.computeIfAbsent(new Expansion(sql, some.size(), some.getFirst().length), wanted -> {
            String row = "(" + "?,".repeat(wanted.columns - 1) + "?)";
            return sql.replace("$rows", (row + ",").repeat(wanted.rows - 1) + row);
        });
    }

    private Prepared prepared(String sql) throws SQLException {
        Prepared prepared = statements.get(sql);
        if (prepared == null) {
            PreparedStatement statement = connection.prepareStatement(sql);
            prepared = new Prepared(statement, statement.getParameterMetaData().getParameterCount());
            statements.put(sql, prepared);
            if (statements.size() > MOST_PREPARED) {
                String oldest = statements.firstEntry().getKey();
                Objects.requireNonNull(statements.remove(oldest)).statement.close();
            }
        }
        return prepared;
    }

    /** By any thread: makes the statement that runs now, if there is one, fail as interrupted. */
    void cancel() {
        synchronized (closing) {
            try {
                if (!connection.isClosed()) {
                    connection.unwrap(SQLiteConnection.class).getDatabase().interrupt();
                }
            } catch (SQLException e) {
                throw new IllegalStateException("the driver has changed", e);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        synchronized (closing) {
            for (Prepared prepared : statements.values()) {
                prepared.statement.close();
            }
            connection.close();
        }
    }
}
