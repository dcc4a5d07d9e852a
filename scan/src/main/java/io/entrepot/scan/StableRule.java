package io.entrepot.scan;

import io.entrepot.posix.Name;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * When a file counts as complete. All of it must hold at once.
 *
 * @param quiet    how long it must have been seen unchanged, on our own clock. Too short: a sender that pauses loses the rest
 *                 of its file. Too long: every file waits that long. Zero only with a marker
 * @param age      how long ago it must have been seen for the first time, whatever its times say
 * @param unclosed somebody was seen writing and not closing: after so much time without a change the file counts as closed
 *                 all the same (a {@code truncate}, for one, is never followed by a close). Too short: a sender that hangs with
 *                 the file open loses the rest of it. Too long: such a file waits that long
 * @param marker   what is appended to the file's name to give that of the empty file which says that it is complete
 */
public record StableRule(Duration quiet, Duration age, Duration unclosed, Optional<String> marker) {
    /** Five seconds unchanged; ten minutes if it was not closed. */
    public static final StableRule DEFAULT = new StableRule(Duration.ofSeconds(5), Duration.ZERO,
            Duration.ofMinutes(10), Optional.empty());

    public StableRule {
        if (quiet.isNegative() || age.isNegative() || unclosed.isNegative()) {
            throw new IllegalArgumentException("a time to wait is not negative");
        }
        if (quiet.isZero() && marker.isEmpty()) {
            throw new IllegalArgumentException("without a marker a file must be unchanged for some time");
        }
        marker.ifPresent(suffix -> {
            if (suffix.isEmpty() || suffix.contains("/") || suffix.contains("\0")) {
                throw new IllegalArgumentException("'" + suffix + "' cannot be appended to a name");
            }
        });
    }

    public StableRule withQuiet(Duration value) {
        return new StableRule(value, age, unclosed, marker);
    }

    public StableRule withAge(Duration value) {
        return new StableRule(quiet, value, unclosed, marker);
    }

    public StableRule withUnclosed(Duration value) {
        return new StableRule(quiet, age, value, marker);
    }

    public StableRule withMarker(String suffix) {
        return new StableRule(quiet, age, unclosed, Optional.of(suffix));
    }

    /** The name of the marker of a file, if there has to be one. */
    public Optional<Name> markerOf(Name file) {
        return marker.map(suffix -> {
            byte[] end = suffix.getBytes(StandardCharsets.UTF_8);
            byte[] bytes = Arrays.copyOf(file.bytes(), file.length() + end.length);
            System.arraycopy(end, 0, bytes, file.length(), end.length);
            return Name.of(bytes);
        });
    }

    /** Whether a name is that of a marker rather than that of a file. */
    public boolean isMarker(Name name) {
        return marker.filter(suffix -> {
            byte[] end = suffix.getBytes(StandardCharsets.UTF_8);
            byte[] bytes = name.bytes();
            return bytes.length > end.length && Arrays.equals(bytes, bytes.length - end.length, bytes.length,
                    end, 0, end.length);
        }).isPresent();
    }
}
