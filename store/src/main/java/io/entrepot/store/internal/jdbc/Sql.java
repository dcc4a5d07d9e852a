package io.entrepot.store.internal.jdbc;

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

/**
 * One connection with its prepared statements. BEGIN and COMMIT are ours, as statements; the driver knows nothing of
 * them. Belongs to one thread at a time, but for {@link #cancel}.
 */
public final class Sql implements AutoCloseable {
    /** Texts are meant to be few. If they are not, the oldest are let go rather than the memory. */
    private static final int MOST_PREPARED = 512;

    private static final @Nullable Object[] NOTHING = {};

    private final Connection connection;
    private final Dialect dialect;
    private final SequencedMap<String, Prepared> statements = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<Expansion, String> expanded = new HashMap<>();
    private final Object closing = new Object();
    private boolean changed;

    private record Prepared(PreparedStatement statement, int parameters) {}

    private record Expansion(String sql, int rows, int columns) {}

    public Sql(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    Dialect dialect() {
        return dialect;
    }

    public void execute(String sql) throws SQLException {
        run(sql, List.of(), NOTHING, PreparedStatement::execute);
    }

    /** Runs several statements, with semicolons between them, at once; returns the one row of the last of them. */
    public <T> T last(String sql, RowReader<T> reader) throws SQLException {
        return run(sql, List.of(), NOTHING, statement -> lastRow(statement, reader));
    }

    private static <T> T lastRow(PreparedStatement statement, RowReader<T> reader) throws SQLException {
        List<ResultSet> results = new ArrayList<>();
        try {
            boolean isRows = statement.execute();
            while (isRows || statement.getUpdateCount() >= 0) {
                if (isRows) {
                    results.add(statement.getResultSet());
                }
                isRows = statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
            }
            ResultSet row = results.getLast();
            row.next();
            return reader.read(row);
        } finally {
            for (ResultSet result : results) {
                result.close();
            }
        }
    }

    /** Runs a statement to its end and drops what it returns: a pragma that returns a row is under way until then. */
    public void exhaust(String sql) throws SQLException {
        changed = true;
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    public int update(String sql, @Nullable Object... args) throws SQLException {
        changed = true;
        return run(sql, List.of(), args, PreparedStatement::executeUpdate);
    }

    public <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... args) throws SQLException {
        changed |= !sql.startsWith("SELECT ");
        return run(sql, List.of(), args, statement -> rows(statement, reader));
    }

    public int updateEach(String sql, List<@Nullable Object[]> rows, @Nullable Object... args) throws SQLException {
        changed |= !rows.isEmpty();
        if (dialect.rowsAreArrays()) {
            return rows.isEmpty() ? 0 : inArrays(sql, rows, args, PreparedStatement::executeUpdate);
        }
        int changed = 0;
        for (int from = 0; from < rows.size();) {
            int n = chunk(rows.size() - from);
            List<@Nullable Object[]> some = rows.subList(from, from + n);
            changed += run(expand(sql, some), some, args, PreparedStatement::executeUpdate);
            from += n;
        }
        return changed;
    }

    public <T> List<T> queryEach(String sql, RowReader<T> reader, List<@Nullable Object[]> rows,
            @Nullable Object... args)
            throws SQLException {
        changed |= !sql.startsWith("SELECT ");
        if (dialect.rowsAreArrays()) {
            return rows.isEmpty() ? List.of() : inArrays(sql, rows, args, statement -> rows(statement, reader));
        }
        List<T> results = new ArrayList<>();
        for (int from = 0; from < rows.size();) {
            int n = chunk(rows.size() - from);
            List<@Nullable Object[]> some = rows.subList(from, from + n);
            results.addAll(run(expand(sql, some), some, args, statement -> rows(statement, reader)));
            from += n;
        }
        return results;
    }

    /** Whether anything since the last call may have changed something: all but a SELECT may. */
    public boolean takeChanged() {
        boolean taken = changed;
        changed = false;
        return taken;
    }

    private <T> T inArrays(String sql, List<@Nullable Object[]> rows, @Nullable Object[] args, Execution<T> execution)
            throws SQLException {
        Columns columns = Columns.of(rows);
        return run(columns.expand(sql), List.of(), columns.arguments(connection, args), execution);
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
            if (!dialect.sparesStatement(e)) {
                // The driver may have closed the statement; it would fail for ever.
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
            prepared = new Prepared(statement, parameters(sql));
            statements.put(sql, prepared);
            if (statements.size() > MOST_PREPARED) {
                String oldest = statements.firstEntry().getKey();
                Objects.requireNonNull(statements.remove(oldest)).statement.close();
            }
        }
        return prepared;
    }

    /** Counted here: PostgreSQL, when asked, takes the types of parameters for settled before it has seen any. */
    private static int parameters(String sql) {
        int parameters = 0;
        boolean quoted = false;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            quoted ^= c == '\'';
            parameters += c == '?' && !quoted ? 1 : 0;
        }
        return parameters;
    }

    /** By any thread: makes the statement that runs now, if there is one, fail as interrupted. */
    public void cancel() {
        synchronized (closing) {
            try {
                if (!connection.isClosed()) {
                    dialect.cancel(connection);
                }
            } catch (SQLException e) {
                throw new IllegalStateException("the statement cannot be cancelled", e);
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
