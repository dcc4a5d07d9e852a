package io.entrepot.store;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One consistent state of the store, to be read from. Arguments are {@link Long}, {@link Integer}, {@link String},
 * {@code byte[]} or null. Not shared between threads: it belongs to the unit of work it was handed to, while that runs.
 */
public interface Snapshot {

    /**
     * The time of this unit of work, in milliseconds since 1970. One clock for all: it never goes back and does not
     * jump with the wall clock, so what is ordered or delayed by it stays so.
     */
    long now();

    <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... args);

    /** The first row, if there is one. */
    default <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... args) {
        return query(sql, reader, args).stream().findFirst();
    }

    /**
     * Runs one statement for many rows of arguments: {@code $rows} in the text becomes {@code (?,?),(?,?),…}. The fixed
     * arguments follow those of the rows. Large lists are split, so a statement must not mind being run in parts. The
     * order of the answers is not defined.
     */
    <T> List<T> queryEach(String sql, RowReader<T> reader, List<@Nullable Object[]> rows, @Nullable Object... args);

    long count(Counter counter);
}
