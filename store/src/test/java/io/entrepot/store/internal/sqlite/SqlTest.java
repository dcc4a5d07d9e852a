package io.entrepot.store.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.store.internal.jdbc.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTest {
    @TempDir
    private Path directory;

    private Sql made(String name) throws Exception {
        Files.createDirectories(directory.resolve(name));
        return new Database(directory.resolve(name).resolve("x.db"), true, 1 << 20).made();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"plain", "with space", "what?cache=shared&mode=memory", "50%", "a#b", "ü港", "file:x", "a'b"})
    void made_whenPathHasOddCharacters_isThatFile(String name) throws Exception {
        try (Sql sql = made(name)) {
            sql.update("CREATE TABLE t (x INTEGER)");
        }
        assertThat(directory.resolve(name).resolve("x.db")).isRegularFile().isNotEmptyFile();
    }

    @Test
    void query_whenArgumentsDoNotFit_saysHowMany() throws Exception {
        try (Sql sql = made("a")) {
            sql.update("CREATE TABLE t (x INTEGER)");
            assertThat(sql.query("SELECT ?", row -> row.getInt(1), 5)).containsExactly(5);
            assertThatExceptionOfType(SQLException.class).isThrownBy(() -> sql.query("SELECT ?", row -> row.getInt(1)))
                    .withMessageContaining("0 argument(s) for 1 parameter(s)");
            assertThatExceptionOfType(SQLException.class).isThrownBy(
                    () -> sql.updateEach("INSERT INTO t VALUES $rows", List.of(new Object[]{1}, new Object[]{1, 2})));
        }
    }

    @Test
    void statement_whenItFailedBefore_canBeUsedAgain() throws Exception {
        try (Sql sql = made("a")) {
            sql.update("CREATE TABLE t (x INTEGER UNIQUE)");
            for (int i = 0; i < 3; i++) {
                int n = i;
                assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(() -> sql.query("SELECT json(?)", row -> row.getString(1), "{"));
                assertThat(sql.query("SELECT json(?)", row -> row.getString(1), "{}")).containsExactly("{}");
                assertThatExceptionOfType(SQLException.class).isThrownBy(() -> sql.execute("ROLLBACK"))
                        .withMessageContaining("no transaction is active");
                assertThat(sql.update("INSERT INTO t VALUES (?)", n)).isEqualTo(1);
                assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(() -> sql.update("INSERT INTO t VALUES (?)", n));
                assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(() -> sql.query("SELECT 1", row -> row.getString(7)));
                assertThat(sql.query("SELECT 1", row -> row.getInt(1))).containsExactly(1);
            }
        }
    }

    @Test
    void query_whenThereAreThousandsOfTexts_keepsOnlySome() throws Exception {
        try (Sql sql = made("a")) {
            for (int i = 0; i < 3000; i++) {
                int n = i;
                assertThat(sql.query("SELECT " + n + " + ?", row -> row.getInt(1), 1)).containsExactly(n + 1);
                assertThat(sql.query("SELECT -1", row -> row.getInt(1))).containsExactly(-1);
            }
        }
    }

    @Test
    void cancel_whenNothingRunsOrItIsClosed_doesNothing() throws Exception {
        Sql sql = made("a");
        sql.cancel();
        assertThat(sql.query("SELECT 1", row -> row.getInt(1))).containsExactly(1);
        sql.close();
        sql.cancel();
    }
}
