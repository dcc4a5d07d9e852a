package io.entrepot.cli;

import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.NoFilesAvailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Hands files out to somebody who will end them later, in other commands. */
@Command(name = "claim",
        description = {"Claim files; prints a lease and a path for each.",
                "Exit code 3 if there are none. To have a program run for each file, see 'entrepot work'."})
final class ClaimCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    TenantOption tenant;

    @Parameters(paramLabel = "KEY", arity = "0..1",
            description = "This file, out of its turn; the next ones if none is named.")
    @Nullable
    String key;

    @Option(names = "--worker", defaultValue = "cli", description = "Who claims (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    String worker;

    @Option(names = "--max", paramLabel = "N", defaultValue = "1",
            description = "How many at most (default: ${DEFAULT-VALUE}).")
    int max;

    @Option(names = "--term", paramLabel = "DURATION", defaultValue = "30m",
            description = "How long the lease lasts without being renewed (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    String term;

    @Option(names = "--wait", paramLabel = "DURATION", defaultValue = "0s",
            description = "How long to wait for one (default: not at all).")
    @SuppressWarnings("NullAway.Init") // has a default
    String wait;

    @Override
    public Integer call() throws InterruptedException {
        Duration patience = Durations.parse(wait);
        try (FilePool pool = on.reachFiles()) {
            List<ClaimedFile> claimed = key == null
                    ? pool.work().claim(ClaimOrder.of(tenant.id(), worker).withMax(max)
                            .withTerm(Durations.parse(term)).waiting(patience))
                    : List.of(pool.work().claim(tenant.id(), OnPool.key(key), worker, Durations.parse(term)));
            if (claimed.isEmpty()) {
                throw new NoFilesAvailableException(tenant.id(), patience);
            }
            claimed.forEach(this::print);
        }
        return ExitCode.OK;
    }

    private void print(ClaimedFile claimed) {
        String where = claimed.file().path().map(Object::toString).orElse(claimed.file().volume());
        on.answer(claimed.lease() + "  " + where + claimed.file().name().map(name -> "  " + name).orElse(""),
                new JsonObject().with("lease", claimed.lease()).with("seconds", claimed.term().toSeconds())
                        .with("file", new FileText(claimed.file()).json().fields()));
    }
}
