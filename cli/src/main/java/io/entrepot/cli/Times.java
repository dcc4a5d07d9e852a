package io.entrepot.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as people read them, in their own time zone; JSON has them in full. */
final class Times {
    private static final DateTimeFormatter TEXT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
            .withZone(ZoneId.systemDefault());
    private static final double MILLIS = 1000.0;

    private Times() {}

    static String of(Instant time) {
        return TEXT.format(time);
    }

    /** 0.3 s, 42 s, 12 min, 5.5 h. */
    static String of(Duration time) {
        double seconds = time.toMillis() / MILLIS;
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        if (seconds < 120) {
            return Math.round(seconds) + " s";
        }
        return seconds < 7200
                ? Math.round(seconds / 60) + " min"
                : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }
}
