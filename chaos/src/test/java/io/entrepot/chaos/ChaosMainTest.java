package io.entrepot.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.JsonFile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosMainTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<Integer> choices = new ArrayList<>();
    private boolean violate;
    private boolean fail;

    /** Does what the test says. */
    private final class Sample implements Chaos {

        @Override
        public String name() {
            return "sample";
        }

        @Override
        public String what() {
            return "nothing bad";
        }

        @Override
        public void run(ChaosRun run) throws Exception {
            for (int left = run.rounds(2, 20); left > 0; left--) {
                choices.add(run.random(left).nextInt());
                run.check(!violate, () -> "item 7 was lost");
                run.round();
            }
            run.checked(10, List.of());
            run.note("a note");
            if (fail) {
                throw new IllegalStateException("broken");
            }
        }
    }

    private int run(String... line) {
        return new ChaosMain(new Scenarios(List.of(new Sample())), new Random(1), printer(out), printer(err)).run(line);
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
    void run_listsScenarios_whenNothingOrHelpIsAsked() {
        assertThat(run()).isZero();
        assertThat(run("--help")).isZero();
        assertThat(out()).contains("usage:", "sample", "nothing bad");
    }

    @Test
    void run_isRefused_whenTheCommandLineIsWrong() {
        assertThat(run("smaple")).isEqualTo(2);
        assertThat(run("sample", "--seed", "x")).isEqualTo(2);
        assertThat(run("sample", "--rounds", "0")).isEqualTo(2);
        assertThat(run("sample", "more")).isEqualTo(2);
        assertThat(run("sample", "--often")).isEqualTo(2);
        assertThat(err()).contains("there is no scenario \"smaple\"", "--seed needs a whole number",
                "--rounds needs a whole number of at least 1", "one scenario at a time", "unknown option --often");
    }

    @Test
    void run_succeeds_whenEveryPromiseHeld() throws Exception {
        Path json = directory.resolve("result.json");
        assertThat(run("sample", "--short", "--json", json.toString())).isZero();
        assertThat(out()).contains("chaos sample: 2 rounds, 12 checks, 0 violations", "note: a note", "--seed");
        assertThat(JsonFile.read(json)).containsEntry("chaos", "sample").containsEntry("rounds", 2)
                .containsEntry("checks", 12).containsEntry("violations", List.of());
    }

    @Test
    void run_fails_whenAPromiseWasBroken() throws Exception {
        violate = true;
        Path json = directory.resolve("result.json");
        assertThat(run("sample", "--rounds", "30", "--json", json.toString())).isEqualTo(1);
        assertThat(out()).contains("30 violations", "item 7 was lost", "and 10 more");
        assertThat((List<?>) JsonFile.read(json).get("violations")).hasSize(30);
    }

    @Test
    void run_fails_whenItBroke() throws Exception {
        fail = true;
        Path json = directory.resolve("result.json");
        assertThat(run("sample", "--short", "--json", json.toString())).isEqualTo(1);
        assertThat(JsonFile.read(json).get("violations"))
                .isEqualTo(List.of("the run broke: java.lang.IllegalStateException: broken"));
    }

    @Test
    void run_makesTheSameChoices_withTheSameSeed() {
        run("sample", "--rounds", "5", "--seed", "42");
        List<Integer> first = List.copyOf(choices);
        choices.clear();
        run("sample", "--rounds", "5", "--seed", "42");
        assertThat(choices).isEqualTo(first);
        choices.clear();
        run("sample", "--rounds", "5", "--seed", "43");
        assertThat(choices).isNotEqualTo(first);
        assertThat(out()).contains("./entrepot chaos sample --seed 42 --rounds 5");
    }

    @Test
    void lab_isHonest() throws Exception {
        Path json = directory.resolve("lab.json");
        int exit = new ChaosMain(Scenarios.known(), new Random(1), printer(out), printer(err)).run("lab", "--rounds",
                "20",
                "--json", json.toString());
        assertThat(exit).as(err()).isZero();
        assertThat(JsonFile.read(json)).containsEntry("rounds", 20).containsEntry("checks", 40);
    }
}
