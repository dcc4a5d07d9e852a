package io.entrepot.cli;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.PosixException;
import io.entrepot.scan.PathFilter;
import io.entrepot.scan.Scan;
import io.entrepot.scan.ScanProgress;
import io.entrepot.scan.ScanReport;
import io.entrepot.scan.ScanRequest;
import io.entrepot.scan.ScanSink;
import io.entrepot.scan.Scanner;
import io.entrepot.scan.Visit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Goes through a tree once and says what is in it. */
@Command(name = "scan", description = {"Go through a directory and all below it; print totals, or what is there.",
        "Symbolic links are not followed. Exit code 1 if something could not be read.",
        "Patterns: * within a name, ** across names, ?, [a-z]; without a slash for names at any depth, with one for paths below DIR."})
final class ScanCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Where to begin.")
    @SuppressWarnings("NullAway.Init") // required
    Path directory;

    @Option(names = "--list",
            description = {"A line for each entry: type, size, time of modification, path below DIR, escaped.",
                    "In no order, as they are found: sort -k4 puts them into one."})
    boolean list;

    @Option(names = "--json",
            description = "Totals as a line of JSON; with --list, after a line of JSON for each entry.")
    boolean json;

    @Option(names = "--include", paramLabel = "GLOB", description = "Only these, and directories.")
    List<String> include = List.of();

    @Option(names = "--exclude", paramLabel = "GLOB", description = "Not these, nor what is below them.")
    List<String> exclude = List.of();

    @Option(names = "--prune", paramLabel = "GLOB", description = "Do not enter these directories.")
    List<String> prune = List.of();

    @Option(names = "--depth", paramLabel = "N", description = "How deep entries may lie: 1 is what is in DIR itself.")
    int depth = ScanRequest.ANY_DEPTH;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "2",
            description = "How many directories are read at a time (default: ${DEFAULT-VALUE}).")
    int threads;

    @Option(names = "--rate", paramLabel = "N", description = "At most so many entries per second.")
    long rate = ScanRequest.UNLIMITED;

    @Option(names = "--cross-mounts", description = "Enter other file systems that are mounted below DIR.")
    boolean crossMounts;

    @Override
    public Integer call() throws IOException, InterruptedException {
        GivenDirectory given = new GivenDirectory(directory);
        ScanRequest request = ScanRequest.of(given.real())
                .withFilter(PathFilter.of(include, exclude, prune)).withMaxDepth(depth).withThreads(threads)
                .withEntriesPerSecond(rate).withCrossMounts(crossMounts);
        ScanOutput output = new ScanOutput(request.root(), spec.commandLine().getOut(), spec.commandLine().getErr(),
                json);
        CompletableFuture<Scan> started = new CompletableFuture<>();
        ScanSink sink = list ? listing(output, started) : _ -> {};
        Scan scan = new Scanner(FileCalls.system(), BootClock.system()).start(request, sink);
        started.complete(scan);
        try (LastWords _ = new LastWords(scan::cancel);
                ProgressLine _ = list
                        ? ProgressLine.none()
                        : ProgressLine.ofTerminal(() -> line(scan.progress()), spec.commandLine().getErr())) {
            ScanReport report = scan.await();
            output.print(report);
            return report.isWhole() ? ExitCode.OK : ExitCode.FAILED;
        } catch (PosixException e) {
            throw given.failure(e.errno(), e.getMessage());
        } finally {
            scan.cancel();
        }
    }

    private static String line(ScanProgress progress) {
        return String.format(Locale.ROOT, "%d s: %,d entries in %,d directories, %,d problems; %s",
                progress.elapsed().toSeconds(), progress.counts().entries(), progress.counts().directories(),
                progress.counts().problems(),
                progress.at().isEmpty() ? "" : progress.at().getFirst().directory().toString());
    }

    private static ScanSink listing(ScanOutput output, CompletableFuture<Scan> scan) {
        return visit -> {
            if (visit instanceof Visit.Listed(var listing) && !output.print(listing)) {
                scan.join().cancel(); // nobody reads it any more
            }
        };
    }
}
