package io.entrepot.store.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.store.Advice;
import io.entrepot.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorsTest {
    private static final Path FILE = Path.of("data/entrepot.db");

    /** SQLite's codes, with extended ones among them, and what a caller is told. */
    @ParameterizedTest
    @CsvSource({"1, store.refused, GIVE_UP, false", "2067, store.refused, GIVE_UP, false",
            "18, store.refused, GIVE_UP, false", "5, store.io, RETRY, true", "6, store.io, RETRY, true",
            "7, store.io, RETRY, true", "8, store.not-writable, GIVE_UP, true", "9, store.io, RETRY, true",
            "10, store.io, RETRY, true", "1034, store.io, RETRY, true", "11, store.damaged, GIVE_UP, true",
            "13, store.disk-full, RETRY, true", "14, store.io, RETRY, true", "26, store.damaged, GIVE_UP, true"})
    void notDone_saysWhatACallerMayDo(int code, String expected, Advice advice, boolean endsTransaction) {
        SQLException cause = new SQLException("what SQLite says", "", code);
        StoreException e = Errors.notDone(cause, FILE);
        assertThat(e.code()).isEqualTo(expected);
        assertThat(e.advice()).isEqualTo(advice);
        assertThat(e).hasCause(cause);
        assertThat(Errors.endsTransaction(cause)).isEqualTo(endsTransaction);
    }

    @Test
    void notOpened_whenTheFileCannotBeOpened_isNothingToRetry() {
        StoreException e = Errors.notOpened(new SQLException("unable to open database file", "", 14), FILE);
        assertThat(e.code()).isEqualTo("store.not-writable");
        assertThat(e).hasMessageContaining(FILE.toString()).hasMessageContaining("permissions");
    }
}
