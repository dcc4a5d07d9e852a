package io.entrepot.pool.settings;

import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.queue.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code [retry]}, and {@code [tenant.retry]}, in which what is left out is as in the default. */
final class RetrySettings {
    private static final Kind<Integer> TIMES = Kind.whole(1, 1_000_000);
    private static final Kind<Duration> DELAY = Kind.duration(Duration.ZERO, Duration.ofDays(365));

    private static final Setting<Integer> ATTEMPTS = Setting.of("attempts", TIMES,
            "After so many failures a file is given up; 1 means that it is never tried again.")
            .or(RetryPolicy.DEFAULT.attempts())
            .tooSmall("a short outage fails files for good.").tooLarge("a broken file keeps workers busy.")
            .reloadable();
    private static final Setting<Duration> FIRST = Setting.of("first", DELAY, "The delay after the first failure.")
            .or(RetryPolicy.DEFAULT.initial()).reloadable();
    private static final Setting<Duration> LONGEST = Setting.of("longest", DELAY, "No delay is longer.")
            .or(RetryPolicy.DEFAULT.max()).reloadable();
    private static final Setting<Boolean> EXPONENTIAL = Setting.of("exponential", Kind.truth(),
            "Each delay is twice the one before; if not, all are like the first.")
            .or(RetryPolicy.DEFAULT.exponential()).reloadable();

    static final Section<Change> TABLE = new Section<>("retry",
            "When and how often a failed file is tried again, for tenants that have no rule of their own.",
            List.of(ATTEMPTS, FIRST, LONGEST, EXPONENTIAL), RetrySettings::read);

    private static final Setting<Optional<Integer>> OWN_ATTEMPTS = Setting.of("attempts", TIMES,
            "As in `[retry]`.").optional();
    private static final Setting<Optional<Duration>> OWN_FIRST = Setting.of("first", DELAY, "As in `[retry]`.")
            .optional();
    private static final Setting<Optional<Duration>> OWN_LONGEST = Setting.of("longest", DELAY, "As in `[retry]`.")
            .optional();
    private static final Setting<Optional<Boolean>> OWN_EXPONENTIAL = Setting.of("exponential", Kind.truth(),
            "As in `[retry]`.").optional();

    /** Empty if nothing is said. */
    static final Section<Optional<RetryPolicy>> OWN = new Section<>("retry",
            "The tenant's own rule for failed files. If anything is said here, the rest has the defaults of `[retry]`.",
            List.of(OWN_ATTEMPTS, OWN_FIRST, OWN_LONGEST, OWN_EXPONENTIAL), RetrySettings::own);

    private RetrySettings() {}

    private static Change read(Values values) {
        RetryPolicy policy = new RetryPolicy(values.get(FIRST), values.get(LONGEST), values.get(ATTEMPTS),
                values.get(EXPONENTIAL));
        return config -> config.withRetry(policy);
    }

    private static Optional<RetryPolicy> own(Values values) {
        RetryPolicy usual = RetryPolicy.DEFAULT;
        boolean said = values.get(OWN_ATTEMPTS).isPresent() || values.get(OWN_FIRST).isPresent()
                || values.get(OWN_LONGEST).isPresent() || values.get(OWN_EXPONENTIAL).isPresent();
        return said
                ? Optional.of(new RetryPolicy(values.get(OWN_FIRST).orElse(usual.initial()),
                        values.get(OWN_LONGEST).orElse(usual.max()), values.get(OWN_ATTEMPTS).orElse(usual.attempts()),
                        values.get(OWN_EXPONENTIAL).orElse(usual.exponential())))
                : Optional.empty();
    }
}
