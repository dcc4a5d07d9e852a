package io.entrepot.store.internal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.store.Advice;
import io.entrepot.store.StoreException;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresDialectTest {

    /** PostgreSQL's states, and what a caller is told. */
    @ParameterizedTest
    @CsvSource({"53100, store.disk-full, RETRY", "53200, store.io, RETRY", "53300, store.io, RETRY",
            "58030, store.io, RETRY", "40001, store.io, RETRY", "57P01, store.io, RETRY", "08006, store.io, RETRY",
            "23505, store.refused, GIVE_UP", "42601, store.refused, GIVE_UP", "XX001, store.damaged, GIVE_UP",
            "28P01, store.not-writable, GIVE_UP"})
    void notDone_saysWhatACallerMayDo(String state, String expected, Advice advice) {
        SQLException cause = new SQLException("what PostgreSQL says", state);
        StoreException e = new PostgresDialect("where it is").notDone(cause);
        assertThat(e.code()).isEqualTo(expected);
        assertThat(e.advice()).isEqualTo(advice);
        assertThat(e).hasCause(cause);
    }
}
