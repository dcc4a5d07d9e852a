package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in a database is not for others on the same machine. */
class PrivateFilesTest {

    @Test
    void files_whereverTheDataIs_areReadByTheirOwnerOnly(@TempDir Path temporary) throws Exception {
        StoreConfig config = StoreConfig.of();
        Path data = temporary.resolve("data");
        Path backup = temporary.resolve("backup");
        Path restored = temporary.resolve("restored");
        try (DataDirectory directory = DataDirectory.open(data, config)) {
            assertThat(modes(data)).isNotEmpty().containsOnly("rw-------");
            directory.backup(backup);
        }
        DataDirectory.restore(backup, restored, config);
        try (DataDirectory _ = DataDirectory.open(restored, config)) {
            assertThat(modes(backup)).isNotEmpty().containsOnly("rw-------");
            assertThat(modes(restored)).isNotEmpty().containsOnly("rw-------");
        }
    }

    /** Of the databases and their logs. */
    private static List<String> modes(Path directory) throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            List<String> modes = new java.util.ArrayList<>();
            for (Path file : files.filter(path -> path.getFileName().toString().contains(".db")).toList()) {
                modes.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
            return modes;
        }
    }
}
