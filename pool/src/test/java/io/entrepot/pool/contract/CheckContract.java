package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.CheckReport;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A check finds what does not fit together, and nothing else. */
abstract class CheckContract extends PoolContract {

    CheckContract(PoolFixture fixture) {
        super(fixture);
    }

    @Test
    void check_whenFilesAreInEveryState_isSound() throws Exception {
        for (int i = 0; i < 7; i++) {
            write(ACME, NewFile.unnamed().in("d" + i % 2), "x".repeat(i));
        }
        pool.uploads().begin(ACME, NewFile.unnamed(), 100);
        pool.work().complete(claim(ACME).lease());
        pool.work().completeAndKeep(claim(ACME).lease());
        pool.work().fail(claim(ACME).lease(), "no");
        claim(ACME);
        write(OTHER, "x");

        CheckReport report = pool.check(CheckDepth.BYTES);

        assertThat(report.problems()).isEmpty();
        assertThat(report.sound()).isTrue();
        assertThat(report.parts()).extracting(CheckReport.Part::what).containsExactly("databases", "queues",
                "counters", "files and queues", "volumes", "bytes");
        assertThat(report.parts().getLast().looked()).isEqualTo(7);
    }

    @Test
    void check_whenBytesAreGoneOrOthers_saysWhich() throws Exception {
        FileKey gone = write(ACME, "gone");
        FileKey cut = write(ACME, "cut off");
        FileKey changed = write(ACME, "changed");
        Files.delete(path(gone));
        Files.writeString(path(cut), "cut");
        Files.writeString(path(changed), "chanced");

        assertThat(pool.check().problems()).isEmpty();
        assertThat(pool.check(CheckDepth.FILES).problems()).hasSize(2).anyMatch(line -> line.contains(gone.toString()))
                .anyMatch(line -> line.contains(cut.toString()));
        assertThat(pool.check(CheckDepth.BYTES).problems()).hasSize(3)
                .anyMatch(line -> line.contains(changed.toString()));
    }

    private Path path(FileKey key) {
        return pool.files().get(ACME, key).path().orElseThrow();
    }

    @Test
    void check_whenAVolumeHasFailed_saysSo() throws Exception {
        pool.volumes().probe();
        Path identity = directory.resolve("files/.entrepot/volume");
        Files.move(identity, identity.resolveSibling("moved"));
        pool.volumes().probe();

        assertThat(pool.check().problems()).singleElement().asString().startsWith("volumes: main");
        Files.move(identity.resolveSibling("moved"), identity);
        pool.volumes().probe();
        assertThat(pool.check().problems()).isEmpty();
    }
}
