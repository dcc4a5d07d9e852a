package io.entrepot.store.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of arguments turned into an array for each column, for databases that take them so. What a column holds is seen
 * from its first value; one that has none is taken for text.
 */
final class Columns {
    private final String[] types;
    private final @Nullable Object[][] values;

    private Columns(String[] types, @Nullable Object[][] values) {
        this.types = types;
        this.values = values;
    }

    static Columns of(List<@Nullable Object[]> rows) throws SQLException {
        int width = rows.getFirst().length;
        String[] types = new String[width];
        @Nullable
        Object[][] values = new @Nullable Object[width][rows.size()];
        for (int row = 0; row < rows.size(); row++) {
            @Nullable
            Object[] cells = rows.get(row);
            if (cells.length != width) {
                throw new SQLException("rows of " + width + " and of " + cells.length + " arguments in one statement");
            }
            for (int column = 0; column < width; column++) {
                Object cell = cells[column];
                values[column][row] = cell instanceof Integer n ? Long.valueOf(n) : cell;
                if (cell != null && types[column] == null) {
                    types[column] = type(cell);
                }
            }
        }
        for (int column = 0; column < width; column++) {
            types[column] = types[column] == null ? "text" : types[column];
        }
        return new Columns(types, values);
    }

    private static String type(Object cell) {
        return switch (cell) {
            case byte[] _ -> "bytea";
            case Long _,Integer _ -> "bigint";
            default -> "text";
        };
    }

    /** The statement with the arrays as parameters in the place of the list. */
    String expand(String sql) {
        StringBuilder arrays = new StringBuilder("SELECT * FROM unnest(");
        for (int i = 0; i < types.length; i++) {
            arrays.append(i == 0 ? "?::" : ", ?::").append(types[i]).append("[]");
        }
        return sql.replace("VALUES $rows", arrays.append(')'));
    }

    @Nullable
    Object[] arguments(Connection connection, @Nullable Object[] more) throws SQLException {
        @Nullable
        Object[] all = new @Nullable Object[types.length + more.length];
        for (int i = 0; i < types.length; i++) {
            all[i] = connection.createArrayOf(types[i], typed(types[i], values[i]));
        }
        System.arraycopy(more, 0, all, types.length, more.length);
        return all;
    }

    /** The driver wants to see the type of the array itself. */
    private static @Nullable Object[] typed(String type, @Nullable Object[] cells) {
        return switch (type) {
            case "bytea" -> Arrays.copyOf(cells, cells.length, byte[][].class);
            case "bigint" -> Arrays.copyOf(cells, cells.length, Long[].class);
            default -> Arrays.copyOf(cells, cells.length, String[].class);
        };
    }
}
