package io.entrepot.chaos;

import io.entrepot.lab.Progress;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** Parts of scenarios, run by a test. */
public final class ChaosRuns {

    private ChaosRuns() {}

    /** What a part of a scenario does with a run. */
    public interface Part {
        void run(ChaosRun run) throws Exception;
    }

    /** What a run found. */
    public record Finding(long checks, List<String> violations) {}

    public static Finding run(int rounds, Part part) throws Exception {
        ChaosRun run = new ChaosRun(true, OptionalInt.of(rounds), 42, Path.of(System.getProperty("java.io.tmpdir")),
                StoreKind.SQLITE,
                new Progress(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)));
        part.run(run);
        ChaosResult result = run.result("test");
        return new Finding(result.checks(), result.violations());
    }
}
