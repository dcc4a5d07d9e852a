package io.entrepot.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whole numbers with units, largest first; not without, as nobody could tell seconds from milliseconds. */
final class DurationKind extends Kind<Duration> {
    private static final Map<String, Duration> UNITS = new LinkedHashMap<>();
    private static final Pattern ALLOWED = Pattern
            .compile("(?=.)(\\d{1,9}d)?(\\d{1,9}h)?(\\d{1,9}m)?(\\d{1,9}s)?(\\d{1,9}ms)?");
    private static final Pattern PIECE = Pattern.compile("(\\d+)(ms|[dhms])");
    private static final Pattern WORDY = Pattern.compile("(\\d{1,9})\\s*([a-z]*)");

    static {
        UNITS.put("d", Duration.ofDays(1));
        UNITS.put("h", Duration.ofHours(1));
        UNITS.put("m", Duration.ofMinutes(1));
        UNITS.put("s", Duration.ofSeconds(1));
        UNITS.put("ms", Duration.ofMillis(1));
    }

    @Override
    public String description() {
        return "a duration";
    }

    @Override
    Duration read(Object raw, Path directory) throws Unfit {
        if (!(raw instanceof String text) || !ALLOWED.matcher(text).matches()) {
            throw new Unfit("is not a duration such as \"30s\" or \"1h30m\"", suggestion(raw));
        }
        Duration sum = Duration.ZERO;
        for (Matcher piece = PIECE.matcher(text); piece.find();) {
            sum = sum.plus(UNITS.getOrDefault(piece.group(2), Duration.ZERO)
                    .multipliedBy(Long.parseLong(piece.group(1))));
        }
        return sum;
    }

    /** For what other programs take. */
    private static String suggestion(Object raw) {
        Matcher wordy = WORDY.matcher(raw.toString().strip().toLowerCase(Locale.ROOT));
        if (!wordy.matches()) {
            return "the units are d, h, m, s and ms, with whole numbers";
        }
        String number = wordy.group(1);
        String unit = switch (wordy.group(2)) {
            case "d", "day", "days" -> "d";
            case "h", "hr", "hrs", "hour", "hours" -> "h";
            case "m", "min", "mins", "minute", "minutes" -> "m";
            case "s", "sec", "secs", "second", "seconds" -> "s";
            case "ms", "msec", "milli", "millis", "millisecond", "milliseconds" -> "ms";
            default -> "";
        };
        if (!unit.isEmpty()) {
            return "did you mean \"" + number + unit + "\"?";
        }
        return wordy.group(2).isEmpty()
                ? "write it with a unit, and in quotes: \"" + number + "s\" for seconds"
                : "the units are d, h, m, s and ms, with whole numbers";
    }

    /** Finer than milliseconds cannot be written. */
    @Override
    Object write(Duration value) {
        Duration rest = value;
        StringBuilder text = new StringBuilder();
        for (Entry<String, Duration> unit : UNITS.entrySet()) {
            long number = rest.dividedBy(unit.getValue());
            rest = rest.minus(unit.getValue().multipliedBy(number));
            if (number > 0) {
                text.append(number).append(unit.getKey());
            }
        }
        if (!rest.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(value + " cannot be written as a duration");
        }
        return text.isEmpty() ? "0s" : text.toString();
    }
}
