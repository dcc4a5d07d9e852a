package io.entrepot.chaos.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabChaosTest {

    @TempDir
    Path directory;

    @Test
    void check_tellsWholeFilesFromOthers() throws Exception {
        NumberFile file = new NumberFile(directory);
        assertThat(file.check()).isEqualTo(new NumberFile.Contents(0, true));
        Files.write(file.path(), ByteBuffer.allocate(16).putLong(1).putLong(2).array());
        assertThat(file.check()).isEqualTo(new NumberFile.Contents(2, true));
        Files.write(file.path(), ByteBuffer.allocate(20).putLong(1).putLong(2).array());
        assertThat(file.check()).as("a part of a number").isEqualTo(new NumberFile.Contents(2, false));
        Files.write(file.path(), ByteBuffer.allocate(16).putLong(1).putLong(3).array());
        assertThat(file.check()).as("a number is missing").isEqualTo(new NumberFile.Contents(1, false));
    }

    @Test
    void text_givesTheMedian() {
        Tally tally = new Tally("kill");
        assertThat(tally.text()).isEqualTo("kill: never");
        tally.add(10_000_000);
        tally.add(30_000_000);
        tally.add(20_000_000);
        assertThat(tally.text()).isEqualTo("kill: 3 times, 20.0 ms each (median), 50.0 a second");
    }
}
