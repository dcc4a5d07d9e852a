package io.entrepot.cli;

import io.entrepot.queue.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is said of when failed files are tried again. */
final class RetryOptions {
    @Option(names = "--attempts", paramLabel = "N", description = "Given up after so many.")
    @Nullable
    Integer attempts;

    @Option(names = "--initial", paramLabel = "DURATION", description = "After the first failure.")
    @Nullable
    String initial;

    @Option(names = "--max", paramLabel = "DURATION", description = "It doubles up to that.")
    @Nullable
    String max;

    @Option(names = "--fixed", description = "Always after --initial, until --max is named.")
    boolean fixed;

    @Option(names = "--default", description = "The pool's rule again.")
    boolean poolRule;

    boolean areNone() {
        return !isRule() && !poolRule;
    }

    private boolean isRule() {
        return attempts != null || initial != null || max != null || fixed;
    }

    void requireFit() {
        if (poolRule && isRule()) {
            throw new Failure("usage", "--default takes the pool's rule: leave out the others", ExitCode.USAGE);
        }
        if (fixed && max != null) {
            throw new Failure("usage", "--fixed does not double, so there is no --max: one of them", ExitCode.USAGE);
        }
    }

    /** What is not named stays; empty for the pool's rule. */
    Optional<RetryPolicy> on(RetryPolicy now) {
        if (poolRule) {
            return Optional.empty();
        }
        Duration first = initial == null ? now.initial() : Durations.parse(initial);
        int most = attempts == null ? now.attempts() : attempts;
        if (fixed || (max == null && !now.exponential())) {
            return Optional.of(RetryPolicy.fixed(first, most));
        }
        return Optional.of(new RetryPolicy(first, max == null ? now.max() : Durations.parse(max), most, true));
    }
}
