package io.entrepot.chaos;

import io.entrepot.lab.Progress;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/** Parts of scenarios, run by a test. */
public final class ChaosRuns {
    private static final int TRIES = 10;

    private ChaosRuns() {}

    /** What a part of a scenario does with a run. */
    public interface Part {
        void run(ChaosRun run) throws Exception;
    }

    /** What was found until it is what was looked for: a busy machine may hide a bug that needs its moment, so there are some tries. */
    public static List<String> search(Predicate<String> sought, int rounds, Part part) throws Exception {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < TRIES && all.stream().noneMatch(sought); i++) {
            all.addAll(run(rounds, part));
        }
        return all;
    }

    /** What was found in one run. */
    public static List<String> run(int rounds, Part part) throws Exception {
        ChaosRun run = new ChaosRun(true, OptionalInt.of(rounds), 42, Path.of(System.getProperty("java.io.tmpdir")),
                StoreKind.SQLITE,
                new Progress(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)));
        part.run(run);
        return run.result("test").violations();
    }
}
