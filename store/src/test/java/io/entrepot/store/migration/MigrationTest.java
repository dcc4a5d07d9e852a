package io.entrepot.store.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.entrepot.store.DataDirectory;
import io.entrepot.store.IncompatibleDataException;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import io.entrepot.store.Schema;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.migration.broken.Broken;
import io.entrepot.store.migration.steps.Steps;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationTest {
    private static final Owner ACME = new Owner("acme");

    @TempDir
    private Path root;

    private DataDirectory open(Schema... schemas) {
        return DataDirectory.open(root.resolve("data"), StoreConfig.of(schemas));
    }

    private static List<Integer> steps(Store store) {
        return store.read(snapshot -> snapshot.query("SELECT n FROM step ORDER BY rowid", row -> row.getInt(1)));
    }

    private static int version(Store store, String component) {
        return store.read(snapshot -> snapshot.first("SELECT version FROM schema_version WHERE component = ?",
                row -> row.getInt(1), component).orElseThrow());
    }

    private void makeVersion1() {
        try (DataDirectory data = open(Steps.upTo(1))) {
            data.main().write(ACME, tx -> tx.update("INSERT INTO ship VALUES ('Batavia')"));
        }
    }

    @Test
    void open_whenDataIsOfAnEarlierVersion_runsTheMissingStepsOnce() {
        makeVersion1();
        for (int i = 0; i < 3; i++) {
            try (DataDirectory data = open(Steps.upTo(2))) {
                assertThat(steps(data.main())).containsExactly(1, 2);
                assertThat(version(data.main(), "fleet")).isEqualTo(2);
                assertThat(data.main().<Integer>read(snapshot -> snapshot.first("SELECT tons FROM ship",
                        row -> row.getInt(1)).orElseThrow())).isEqualTo(7);
            }
        }
    }

    @Test
    void open_whenNew_runsAllSteps() {
        try (DataDirectory data = open(Steps.upTo(2))) {
            assertThat(steps(data.main())).containsExactly(1, 2);
        }
    }

    @Test
    void open_whenComponentIsAddedLater_makesItsTables() {
        open().close();
        try (DataDirectory data = open(Steps.upTo(2))) {
            assertThat(steps(data.main())).containsExactly(1, 2);
        }
    }

    @Test
    void open_whenAStepFails_leavesTheOldVersionIntact() {
        makeVersion1();
        assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> open(Broken.upTo(2)))
                .withMessageContaining("harbour");
        try (DataDirectory data = open(Broken.upTo(1))) {
            assertThat(version(data.main(), "fleet")).isEqualTo(1);
            assertThat(steps(data.main())).containsExactly(1);
            List<String> ships = data.main()
                    .read(snapshot -> snapshot.query("SELECT name FROM ship", row -> row.getString(1)));
            assertThat(ships).containsExactly("Batavia");
        }
        try (DataDirectory data = open(Steps.upTo(2))) {
            assertThat(steps(data.main())).containsExactly(1, 2);
        }
    }

    @Test
    void open_whenAScriptIsMissing_leavesTheOldVersionIntact() {
        makeVersion1();
        assertThatIllegalStateException().isThrownBy(() -> open(Steps.upTo(3))).withMessageContaining("no script 3");
        open(Steps.upTo(1)).close();
    }

    @Test
    void open_whenDataIsOfANewerVersion_isRefused() {
        open(Steps.upTo(2)).close();
        assertThatExceptionOfType(IncompatibleDataException.class).isThrownBy(() -> open(Steps.upTo(1)))
                .withMessageContaining("fleet schema 2").withMessageContaining("up to 1");
        try (DataDirectory data = open(Steps.upTo(2))) {
            assertThat(steps(data.main())).containsExactly(1, 2);
        }
    }

    @Test
    void open_whenShardIsOfAnEarlierVersion_isMigratedToo() {
        try (DataDirectory data = open(Steps.upTo(1))) {
            data.giveShard(ACME);
        }
        try (DataDirectory data = open(Steps.upTo(2))) {
            assertThat(steps(data.store(ACME))).containsExactly(1, 2);
        }
    }

    @Test
    void restore_whenDataIsOfAnEarlierVersion_migratesAndRunsTheScriptForRestoring() {
        try (DataDirectory data = open(Steps.upTo(1))) {
            data.backup(root.resolve("backup"));
        }
        DataDirectory.restore(root.resolve("backup"), root.resolve("restored"), StoreConfig.of(Steps.upTo(2)));
        try (DataDirectory data = DataDirectory.open(root.resolve("restored"), StoreConfig.of(Steps.upTo(2)))) {
            assertThat(steps(data.main())).containsExactly(1, 2, -1);
        }
    }
}
