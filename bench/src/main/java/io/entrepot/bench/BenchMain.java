package io.entrepot.bench;

import io.entrepot.lab.Arguments;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.JsonFile;
import io.entrepot.lab.LabDisk;
import io.entrepot.lab.Machine;
import io.entrepot.lab.Progress;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** {@code entrepot bench}: measures one thing, prints a table, writes a report. */
public final class BenchMain {

    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;

    private static final String HELP = """
                                       usage: entrepot bench NAME [--short] [--only TEXT] [--rounds N] [--dir DIR] [--json FILE]

                                         --short      fewer and shorter rounds: a first idea
                                         --only TEXT  only the cases in whose names the text is found, a regular expression
                                         --rounds N   rounds that count, after some that do not
                                         --dir DIR    measure the disk under this directory (default: the temporary directory)
                                         --json FILE  write the figures there too

                                       """;
    private static final Set<String> FLAGS = Set.of("--short", "--help", "-h");
    private static final Set<String> VALUES = Set.of("--json", "--only", "--rounds", "--dir");
    private static final long DISK_BYTES = 16L << 30;

    private final Benches benches;
    private final PrintStream out;
    private final PrintStream err;

    BenchMain(Benches benches, PrintStream out, PrintStream err) {
        this.benches = benches;
        this.out = out;
        this.err = err;
    }

    public static void main(String[] line) {
        System.exit(new BenchMain(Benches.known(), System.out, System.err).run(line));
    }

    int run(String... line) {
        try {
            Arguments arguments = Arguments.parse(line, FLAGS, VALUES);
            if (arguments.words().isEmpty() || arguments.has("--help") || arguments.has("-h")) {
                out.print(HELP + benches.list());
                return OK;
            }
            if (arguments.words().size() > 1) {
                throw new Arguments.UsageException("one bench at a time, not " + String.join(" ", arguments.words()));
            }
            String name = arguments.words().getFirst();
            Bench bench = benches.named(name)
                    .orElseThrow(() -> new Arguments.UsageException(
                            "there is no bench \"" + name + "\"\n" + benches.list()));
            measure(bench, arguments);
            return OK;
        } catch (Arguments.UsageException e) {
            err.println("entrepot bench: " + e.getMessage());
            return USAGE;
        } catch (Exception e) {
            err.println("entrepot bench: " + e);
            e.printStackTrace(err);
            return FAILED;
        }
    }

    private static Pattern only(Arguments arguments) throws Arguments.UsageException {
        try {
            return Pattern.compile(arguments.value("--only").orElse(""));
        } catch (PatternSyntaxException e) {
            throw new Arguments.UsageException("--only is no regular expression: " + e.getDescription());
        }
    }

    private void measure(Bench bench, Arguments arguments) throws Exception {
        Optional<Long> rounds = arguments.number("--rounds", 1);
        Optional<Path> json = arguments.value("--json").map(Path::of);
        Path place = Path.of(arguments.value("--dir").orElse(System.getProperty("java.io.tmpdir")));
        Progress progress = new Progress(err);
        progress.say("preparing the disk");
        try (LabDisk disk = LabDisk.create(DiskOptions.forMeasuring(place, DISK_BYTES))) {
            Machine machine = Machine.measure(disk.root());
            OptionalInt count = rounds.map(n -> OptionalInt.of(Math.toIntExact(n))).orElse(OptionalInt.empty());
            BenchRun run = new BenchRun(disk, arguments.has("--short"), only(arguments), count, progress);
            bench.run(run);
            BenchReport report = BenchReport.of(bench, machine, run);
            out.print(report.text());
            if (json.isPresent()) {
                JsonFile.write(json.get(), report.json());
            }
        }
    }
}
