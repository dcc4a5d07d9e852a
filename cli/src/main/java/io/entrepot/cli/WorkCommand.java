package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Has a program run for each file. */
@Command(name = "work",
        description = {"Run a command for each file.",
                "Claims, renews while the command runs, then completes or fails the file by its exit code.",
                "{} is replaced by the file's path, which is to be read and not to be changed; more is in the environment:"
                        + " ENTREPOT_FILE, _KEY, _NAME, _TENANT, _DIRECTORY, _SIZE, _SHA256, _LABELS, _ATTEMPT, _LEASE.",
                "Its exit code says what becomes of the file: 0 completed; 65 failed for good; 75 given back, as something"
                        + " else is not there now; any other one failed, to be tried again, with the last lines of its"
                        + " stderr as the error. A file whose volume cannot be read is put off, and nothing is counted.",
                "Ends when there is nothing to be claimed. Ctrl-C and SIGTERM let running commands end, for a while."})
final class WorkCommand implements Callable<Integer> {
    private static final Duration MARGIN = Duration.ofSeconds(15);
    private static final int MOST_WORKERS = 1000;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    TenantOption tenant;

    @Parameters(paramLabel = "-- COMMAND", arity = "1..*", description = "What to run, with its arguments.")
    @SuppressWarnings("NullAway.Init") // required
    List<String> command;

    @Option(names = "--workers", paramLabel = "N", defaultValue = "1",
            description = "How many commands run at a time (default: ${DEFAULT-VALUE}).")
    int workers;

    @Option(names = "--keep", description = "Keep completed files.")
    boolean keep;

    @Option(names = "--once", description = "One file only; exit code 3 if there is none.")
    boolean once;

    @Option(names = "--wait", description = "Wait for files until it is stopped.")
    boolean wait;

    @Option(names = "--idle", paramLabel = "DURATION", description = "Wait so long for another file, then end.")
    @Nullable
    String idle;

    @Option(names = "--timeout", paramLabel = "DURATION",
            description = "End a command that runs longer; its file failed.")
    @Nullable
    String timeout;

    @Option(names = "--grace", paramLabel = "DURATION", defaultValue = "30s",
            description = "How long running commands may go on when it is stopped (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    String grace;

    @Option(names = "--term", paramLabel = "DURATION", defaultValue = "60s",
            description = "Its files go to others so long after this process was killed (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    String term;

    @Option(names = "--worker", paramLabel = "NAME", description = "What it is called in histories.")
    @Nullable
    String worker;

    @Override
    public Integer call() throws InterruptedException {
        WorkSettings settings = settings();
        WorkLog log = new WorkLog(on);
        CompletableFuture<WorkRun> begun = new CompletableFuture<>();
        // Closed after the pool: its last word lets the process go.
        try (LastWords _ = new LastWords(() -> stop(begun, log), settings.grace().plus(MARGIN));
                PoolAccess at = on.reachForLong(settings.renewEvery())) {
            WorkRun run = new WorkRun(at.pool(), settings, log);
            begun.complete(run);
            run.run(workers);
            log.summary();
            return told(run, log);
        }
    }

    private void stop(CompletableFuture<WorkRun> begun, WorkLog log) {
        var _ = begun.thenAccept(WorkRun::stop); // first: commands may end by the same signal
        log.say("stopping: running commands have " + grace);
    }

    private WorkSettings settings() {
        if (wait && idle != null) {
            throw usage("--wait waits for ever, --idle for a while: one of them");
        }
        if (once && workers > 1) {
            throw usage("one file needs one worker");
        }
        if (workers < 1 || workers > MOST_WORKERS) {
            throw usage("there are 1 to " + MOST_WORKERS + " workers, not " + workers);
        }
        Optional<Duration> patience = wait
                ? Optional.empty()
                : Optional.of(idle == null ? Duration.ZERO : Durations.parse(idle));
        return new WorkSettings(tenant.id(), worker == null ? "work-" + ProcessHandle.current().pid() : worker, command,
                keep, once, patience, Durations.parse(term), Optional.ofNullable(timeout).map(Durations::parse),
                Durations.parse(grace));
    }

    private int told(WorkRun run, WorkLog log) {
        if (run.failure().isPresent()) {
            Complaint complaint = Complaint.about(run.failure().get());
            complaint.print(on.err());
            return complaint.exit();
        }
        if (!log.allWell()) {
            return ExitCode.FAILED;
        }
        if ((run.endedNotNow() || log.putOffSome()) && !wait) {
            return ExitCode.UNAVAILABLE;
        }
        return once && log.files() == 0 ? ExitCode.NOTHING : ExitCode.OK;
    }

    private static Failure usage(String message) {
        return new Failure("usage", message, ExitCode.USAGE);
    }
}
