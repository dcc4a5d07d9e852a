package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.store.contract.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data directory has one owner. */
class OwnershipTest {
    private static final StoreConfig CONFIG = StoreConfig.of();

    @TempDir
    private Path root;

    private DataDirectory open() {
        return DataDirectory.open(root.resolve("data"), CONFIG);
    }

    private void assertRefusedHere() {
        assertThatExceptionOfType(DirectoryInUseException.class).isThrownBy(this::open)
                .withMessageContaining(String.valueOf(ProcessHandle.current().pid()))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo("store.in-use");
                    assertThat(e.advice()).isEqualTo(Advice.GIVE_UP);
                });
    }

    private String openingElsewhere() {
        try (Child child = Child.start(Openings.class, root.resolve("data"))) {
            return child.line();
        }
    }

    @Test
    void open_whenOpenInThisProcess_isRefusedAndTheLockIsKept() throws IOException {
        Path link = Files.createSymbolicLink(root.resolve("link"), root.resolve("data"));
        try (DataDirectory owner = open()) {
            assertRefusedHere();
            assertThatExceptionOfType(DirectoryInUseException.class).isThrownBy(() -> DataDirectory.open(link, CONFIG));
            assertThat(openingElsewhere()).startsWith("store.in-use").contains("" + ProcessHandle.current().pid());
            // Neither attempt has cost the owner its lock.
            assertThat(openingElsewhere()).startsWith("store.in-use");
            assertThat(owner.main().<Long>read(Snapshot::now)).isPositive();
        }
        assertThat(openingElsewhere()).isEqualTo("opened");
    }

    @Test
    void open_whenOwnedByAnotherProcess_isRefusedWithItsPidUntilItIsDead() {
        try (Child child = Child.start(Openings.class, root.resolve("data"))) {
            assertThat(child.line()).isEqualTo("opened");
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(DirectoryInUseException.class).isThrownBy(this::open)
                        .withMessageContaining("process " + child.pid());
            }
            child.kill();
            open().close();
        }
    }

    @Test
    void close_whenCalledAgainAfterSomebodyElseHasOpened_takesNothingFromThem() {
        DataDirectory first = open();
        first.close();
        try (DataDirectory second = open()) {
            first.close();
            assertRefusedHere();
            assertThat(openingElsewhere()).startsWith("store.in-use");
            assertThat(second.main().<Long>read(Snapshot::now)).isPositive();
        }
    }

    @Test
    void open_whenItFailsHalfWay_leavesTheDirectoryFree() throws IOException {
        Files.createDirectories(root.resolve("data").resolve(DataDirectory.MAIN));
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(NotDoneException.class).isThrownBy(this::open);
        }
        Files.delete(root.resolve("data").resolve(DataDirectory.MAIN));
        open().close();
    }

    @Test
    void open_whenALockFileIsADirectory_saysSoAndLeavesTheDirectoryFree() throws IOException {
        Path lock = Files.createDirectories(root.resolve("data").resolve("entrepot.lock"));
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(NotDoneException.class).isThrownBy(this::open)
                    .satisfies(e -> assertThat(e.code()).isEqualTo("store.not-writable"));
        }
        Files.delete(lock);
        open().close();
    }

    @Test
    void open_whenManyTryAtOnce_oneSucceeds() {
        Crowd<DataDirectory> crowd = Crowd.start(8, _ -> open());
        assertThat(crowd.outcomes()).filteredOn(Crowd.Outcome::succeeded).hasSize(1);
        assertThat(crowd.outcomes()).filteredOn(outcome -> !outcome.succeeded())
                .allSatisfy(outcome -> assertThat(outcome.failure()).isInstanceOf(DirectoryInUseException.class));
        for (Crowd.Outcome<DataDirectory> outcome : crowd.outcomes()) {
            if (outcome.value() != null) {
                outcome.value().close();
            }
        }
    }

    @Test
    void open_whenThePathIsAFile_saysSo() throws IOException {
        Files.createFile(root.resolve("data"));
        assertThatExceptionOfType(NotDoneException.class).isThrownBy(this::open)
                .withMessageContaining("cannot use")
                .satisfies(e -> assertThat(e.code()).isEqualTo("store.not-writable"));
    }

    @Test
    void open_whenParentsAreMissing_makesThem() {
        DataDirectory.open(root.resolve("a/b/c"), CONFIG).close();
        assertThat(root.resolve("a/b/c").resolve(DataDirectory.MAIN)).isRegularFile();
    }
}
