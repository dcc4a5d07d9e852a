package io.entrepot.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportsTest {

    private static final Set<String> FLAGS = Set.of("--short");
    private static final Set<String> VALUES = Set.of("--json", "--rounds");

    @TempDir
    Path directory;

    @Test
    void write_makesTheDirectoryAndLeavesOnlyTheReport() throws Exception {
        Path file = directory.resolve("a/b/report.json");
        JsonFile.write(file, Map.of("x", 1));
        JsonFile.write(file, Map.of("x", 2));
        assertThat(JsonFile.read(file)).containsEntry("x", 2);
        assertThat(file.getParent()).isDirectoryContaining(path -> path.equals(file))
                .isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void write_keepsTheOldReport_whenTheNewOneCannotBeWritten() throws Exception {
        Path file = directory.resolve("report.json");
        JsonFile.write(file, Map.of("x", 1));
        assertThatThrownBy(() -> JsonFile.write(file, new Object())).isNotNull();
        assertThat(JsonFile.read(file)).containsEntry("x", 1);
        assertThat(directory.toFile().list()).containsExactly("report.json");
    }

    @Test
    void machine_isMeasured_andGoesIntoAReport() throws Exception {
        Machine machine = Machine.measure(directory);
        assertThat(machine.cores()).isPositive();
        assertThat(machine.memoryMebibytes()).isPositive();
        assertThat(machine.fdatasyncMicros()).isPositive();
        assertThat(machine.text()).contains("cores", "JDK", "fdatasync");
        JsonFile.write(directory.resolve("machine.json"), machine);
        assertThat(JsonFile.read(directory.resolve("machine.json"))).containsOnlyKeys("cores", "memoryMebibytes",
                "kernel", "jdk", "fileSystem", "fdatasyncMicros");
    }

    @Test
    void arguments_areTakenApart() throws Exception {
        Arguments arguments = Arguments.parse(new String[]{"disk", "--short", "--json=f", "--rounds", "3"}, FLAGS,
                VALUES);
        assertThat(arguments.words()).containsExactly("disk");
        assertThat(arguments.has("--short")).isTrue();
        assertThat(arguments.value("--json")).contains("f");
        assertThat(arguments.number("--rounds", 1)).contains(3L);
    }

    @Test
    void arguments_areRefused_withTheReason() {
        assertThatThrownBy(() -> Arguments.parse(new String[]{"--long"}, FLAGS, VALUES))
                .hasMessage("unknown option --long");
        assertThatThrownBy(() -> Arguments.parse(new String[]{"--json"}, FLAGS, VALUES))
                .hasMessage("--json needs a value");
        assertThatThrownBy(
                () -> Arguments.parse(new String[]{"--rounds", "0"}, FLAGS, VALUES).number("--rounds", 1))
                .hasMessage("--rounds needs a whole number of at least 1, not \"0\"");
    }

    @Test
    void progress_leavesOutWhatComesTooOften() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Progress progress = new Progress(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        progress.tick("first");
        progress.tick("second");
        progress.say("third");
        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("first").contains("third").doesNotContain("second");
    }
}
