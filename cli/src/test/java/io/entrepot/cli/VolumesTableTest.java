package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.Location;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people are told of a volume, on file systems that the machine of a test does not have. */
class VolumesTableTest {

    private static String told(Optional<String> problem, boolean described) {
        VolumeInfo volume = new VolumeInfo("main", Location.of(Path.of("/files")), VolumeState.ACTIVE,
                problem.isPresent() ? VolumeHealth.FAILED : VolumeHealth.HEALTHY, problem, 100, 50, 0, 0, 50, 1, 2,
                described, Instant.EPOCH);
        StringWriter text = new StringWriter();
        VolumesCommand.table(List.of(volume)).print(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void table_whenFilesCannotBeDescribed_saysWhatThatCosts() {
        assertThat(told(Optional.empty(), false)).contains("/files  (its file system has no extended attributes: if the"
                + " database is lost, names, labels and checksums of its files are lost too)");
        assertThat(told(Optional.empty(), true)).endsWith("/files\n");
    }

    @Test
    void table_whenTheVolumeDoesNotWork_saysWhy() {
        assertThat(told(Optional.of("it is away"), false)).endsWith("/files  (it is away)\n");
    }
}
