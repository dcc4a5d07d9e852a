package io.entrepot.chaos;

import io.entrepot.lab.Arguments;
import io.entrepot.lab.JsonFile;
import io.entrepot.lab.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;

/** {@code entrepot chaos}: makes life hard, and fails if a promise was broken. */
public final class ChaosMain {

    static final int OK = 0;
    static final int VIOLATED = 1;
    static final int USAGE = 2;

    private static final String HELP = """
                                       usage: entrepot chaos NAME [--short] [--store KIND] [--rounds N] [--seed N] [--dir DIR] [--json FILE]

                                         --short      about a minute
                                         --store KIND sqlite (the default) or postgres, for a scenario that knows both
                                         --rounds N   as many rounds as that
                                         --seed N     the choices of an earlier run
                                         --dir DIR    where to put what is too large for memory (default: the temporary directory)
                                         --json FILE  write the result there too

                                       Exit code 1: a promise was broken, or the run broke.

                                       """;
    private static final Set<String> FLAGS = Set.of("--short", "--help", "-h");
    private static final Set<String> VALUES = Set.of("--json", "--store", "--rounds", "--seed", "--dir");

    private final Scenarios scenarios;
    private final RandomGenerator seeds;
    private final PrintStream out;
    private final PrintStream err;

    ChaosMain(Scenarios scenarios, RandomGenerator seeds, PrintStream out, PrintStream err) {
        this.scenarios = scenarios;
        this.seeds = seeds;
        this.out = out;
        this.err = err;
    }

    public static void main(String[] line) {
        System.exit(new ChaosMain(Scenarios.known(), RandomGenerator.getDefault(), System.out, System.err).run(line));
    }

    int run(String... line) {
        try {
            Arguments arguments = Arguments.parse(line, FLAGS, VALUES);
            if (arguments.words().isEmpty() || arguments.has("--help") || arguments.has("-h")) {
                out.print(HELP + scenarios.list());
                return OK;
            }
            if (arguments.words().size() > 1) {
                throw new Arguments.UsageException(
                        "one scenario at a time, not " + String.join(" ", arguments.words()));
            }
            String name = arguments.words().getFirst();
            Chaos chaos = scenarios.named(name).orElseThrow(() -> new Arguments.UsageException(
                    "there is no scenario \"" + name + "\"\n" + scenarios.list().stripTrailing()));
            return run(chaos, arguments);
        } catch (Arguments.UsageException e) {
            err.println("entrepot chaos: " + e.getMessage());
            return USAGE;
        } catch (IOException e) {
            err.println("entrepot chaos: the result cannot be written: " + e);
            return VIOLATED;
        }
    }

    private int run(Chaos chaos, Arguments arguments) throws Arguments.UsageException, IOException {
        Optional<Long> rounds = arguments.number("--rounds", 1);
        long seed = arguments.number("--seed", Long.MIN_VALUE).orElseGet(() -> seeds.nextLong(1_000_000_000));
        StoreKind store = StoreKind.parse(arguments.value("--store").orElse("sqlite"));
        Path place = Path.of(arguments.value("--dir").orElse(System.getProperty("java.io.tmpdir")));
        Progress progress = new Progress(err);
        if (!chaos.stores().contains(store)) {
            throw new Arguments.UsageException(chaos.name() + " knows nothing of " + store.word());
        }
        progress.say("chaos " + chaos.name() + " on " + store.word() + " with seed " + seed);
        ChaosRun run = new ChaosRun(arguments.has("--short"),
                rounds.map(n -> OptionalInt.of(Math.toIntExact(n))).orElse(OptionalInt.empty()), seed, place, store,
                progress);
        ChaosResult result = perform(chaos, run);
        out.print(result.text());
        Optional<String> json = arguments.value("--json");
        if (json.isPresent()) {
            JsonFile.write(Path.of(json.get()), result.json());
        }
        return result.good() ? OK : VIOLATED;
    }

    private ChaosResult perform(Chaos chaos, ChaosRun run) {
        try {
            chaos.run(run);
            return run.result(chaos.name());
        } catch (Exception e) {
            e.printStackTrace(err);
            return run.result(chaos.name()).broken(e);
        }
    }
}
