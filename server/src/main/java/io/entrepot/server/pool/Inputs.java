package io.entrepot.server.pool;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Location;
import io.entrepot.pool.TenantId;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values that many routes take. */
final class Inputs {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of("ms", Duration.ofMillis(1), "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1), "h", Duration.ofHours(1), "d", Duration.ofDays(1));

    private Inputs() {}

    /** As ISO 8601, {@code PT30S}, or as people write it, {@code 30s}. */
    static Input<Duration> duration(String name, String meaning) {
        return Input.of(name, Type.DURATION, meaning + " As PT30S or 30s.", Inputs::duration);
    }

    static Duration duration(String text) {
        Matcher matcher = SHORT.matcher(text);
        try {
            Duration value = matcher.matches()
                    ? UNITS.getOrDefault(matcher.group(2), Duration.ZERO)
                            .multipliedBy(Long.parseLong(matcher.group(1)))
                    : Duration.parse(text.toUpperCase(Locale.ROOT));
            if (value.isNegative() || value.compareTo(Duration.ofDays(36_500)) > 0) {
                throw new IllegalArgumentException("is from nothing to a hundred years");
            }
            return value;
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("is a duration, as PT30S or 30s", e);
        }
    }

    static Input<Instant> time(String name, String meaning) {
        return Input.of(name, Type.TIME, meaning, text -> {
            try {
                return Instant.parse(text);
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("is a time, as 2030-01-31T12:00:00Z", e);
            }
        });
    }

    static Input<TenantId> tenant(String name, String meaning) {
        return Input.of(name, Type.TEXT, meaning, TenantId::new);
    }

    /** On the server's machine. */
    static Input<Path> path(String name, String meaning) {
        return Input.of(name, Type.TEXT, meaning, text -> {
            Path path = Path.of(text);
            if (!path.isAbsolute()) {
                throw new IllegalArgumentException("is a path from the root of the server's machine");
            }
            return path;
        });
    }

    /** A path on the server's machine, or what a backend is asked for. */
    static Input<Location> location(String name, String meaning) {
        return Input.of(name, Type.TEXT, meaning, text -> {
            Location location;
            try {
                location = Location.parse(text);
            } catch (InvalidSettingException e) {
                throw new IllegalArgumentException("is a place: " + e.getMessage(), e);
            }
            if (location.directory().filter(path -> !path.isAbsolute()).isPresent()) {
                throw new IllegalArgumentException(
                        "is a path from the root of the server's machine, or scheme:place");
            }
            return location;
        });
    }
}
