package io.entrepot.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.JsonFile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchMainTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Ours is always three times the peer. */
    private static final class Sample implements Bench {
        final List<Path> directories = new ArrayList<>();

        @Override
        public String name() {
            return "sample";
        }

        @Override
        public String measures() {
            return "nothing much";
        }

        @Override
        public void run(BenchRun run) throws Exception {
            directories.add(Files.createFile(run.directory().resolve("file")));
            Standings standings = run.run(new Contest("case", "ops/s").enter("ours", () -> 3).enter("peer", () -> 1));
            Row row = standings.row("one case", "ours", "peer");
            run.add(row);
            run.add(Goal.atLeast(5, "peer", row));
            run.note("a note");
        }
    }

    private final Sample sample = new Sample();

    private int run(String... line) {
        return new BenchMain(new Benches(List.of(sample)), printer(out), printer(err)).run(line);
    }

    private static PrintStream printer(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void run_listsBenches_whenNothingOrHelpIsAsked() {
        assertThat(run()).isZero();
        assertThat(run("--help")).isZero();
        assertThat(out()).contains("usage:", "sample", "nothing much");
        assertThat(err()).isEmpty();
    }

    @Test
    void run_isRefused_whenTheNameIsUnknown() {
        assertThat(run("smaple")).isEqualTo(2);
        assertThat(err()).contains("there is no bench \"smaple\"", "sample");
    }

    @Test
    void run_isRefused_whenAnOptionIsWrong() {
        assertThat(run("sample", "--fast")).isEqualTo(2);
        assertThat(run("sample", "--rounds", "none")).isEqualTo(2);
        assertThat(run("sample", "other")).isEqualTo(2);
        assertThat(err()).contains("unknown option --fast", "--rounds needs a whole number", "one bench at a time");
    }

    @Test
    void run_printsATableAndWritesAReport() throws Exception {
        Path json = directory.resolve("report.json");
        assertThat(run("sample", "--rounds", "2", "--dir", directory.toString(), "--json", json.toString())).isZero();
        assertThat(out()).contains("bench sample on", "one case", "  peer", "goal NOT MET", "note: a note");
        Map<String, Object> report = JsonFile.read(json);
        assertThat(report).containsEntry("bench", "sample").containsKeys("machine", "rows", "goals", "notes");
        assertThat((List<?>) report.get("rows")).singleElement().satisfies(row -> {
            assertThat(((Map<?, ?>) row).get("case")).isEqualTo("one case");
            assertThat(((Map<?, ?>) row).get("value")).isEqualTo(3.0);
            assertThat(((Map<?, ?>) row).get("unit")).isEqualTo("ops/s");
            assertThat(((Map<?, ?>) row).get("ratios")).isEqualTo(Map.of("peer", 3.0));
            assertThat(((Map<?, ?>) row).get("rounds")).isEqualTo(List.of(3.0, 3.0));
        });
    }

    @Test
    void run_leavesNothingBehind() {
        assertThat(run("sample", "--rounds", "1", "--dir", directory.toString())).isZero();
        assertThat(sample.directories).singleElement().satisfies(file -> assertThat(file).doesNotExist());
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void disk_isMeasured() throws Exception {
        Path json = directory.resolve("disk.json");
        int exit = new BenchMain(Benches.known(), printer(out), printer(err)).run("disk", "--short", "--rounds", "1",
                "--dir",
                directory.toString(), "--json", json.toString());
        assertThat(exit).as(err()).isZero();
        assertThat((List<?>) JsonFile.read(json).get("rows")).hasSize(6)
                .allSatisfy(row -> assertThat((Double) ((Map<?, ?>) row).get("value")).isPositive());
    }
}
