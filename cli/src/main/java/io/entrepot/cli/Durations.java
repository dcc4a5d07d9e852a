package io.entrepot.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: 250ms, 90s, 5m, 2h, 7d. */
final class Durations {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private Durations() {}

    static Duration parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new Failure("usage", "'" + text + "' is not a duration; write it as 250ms, 90s, 5m, 2h or 7d",
                    ExitCode.USAGE);
        }
        long n = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(n);
            case "s" -> Duration.ofSeconds(n);
            case "m" -> Duration.ofMinutes(n);
            case "h" -> Duration.ofHours(n);
            default -> Duration.ofDays(n);
        };
    }
}
