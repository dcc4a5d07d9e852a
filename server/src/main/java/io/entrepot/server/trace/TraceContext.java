package io.entrepot.server.trace;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which trace something belongs to, and below which span: what goes from program to program by W3C Trace Context.
 *
 * @param trace 32 hexadecimal digits
 * @param span  16 of them
 * @param state what others have to say of the trace to each other, passed on as it is
 */
record TraceContext(String trace, String span, boolean sampled, String state) {
    static final String PARENT = "traceparent";
    static final String STATE = "tracestate";
    /** Later versions may have more at the end. */
    private static final Pattern WRITTEN = Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})"
            + "(-.*)?");
    private static final Pattern NOTHING = Pattern.compile("0+");
    private static final int LONGEST_STATE = 512;

    /** Empty if it is none, or none that can be understood: then a new trace is begun. */
    static Optional<TraceContext> read(@Nullable String parent, @Nullable String state) {
        Matcher matcher = WRITTEN.matcher(parent == null ? "" : parent.strip());
        if (!matcher.matches() || matcher.group(1).equals("ff")
                || (matcher.group(1).equals("00") && matcher.group(5) != null)
                || NOTHING.matcher(matcher.group(2)).matches() || NOTHING.matcher(matcher.group(3)).matches()) {
            return Optional.empty();
        }
        boolean sampled = (HexFormat.fromHexDigits(matcher.group(4)) & 1) == 1;
        return Optional.of(new TraceContext(matcher.group(2), matcher.group(3), sampled,
                state == null || state.length() > LONGEST_STATE ? "" : state.strip()));
    }

    static String newTrace() {
        return newSpan() + newSpan();
    }

    /** Nothing that must not be guessed: only that no two are the same. */
    static String newSpan() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
    }

    /**
     * Whether a trace is among a share of all. By its id, as all programs of OpenTelemetry do it, so that those with the same share
     * record the same traces.
     */
    static boolean isAmong(double share, String trace) {
        long low = HexFormat.fromHexDigitsToLong(trace, 16, 32);
        return share >= 1 || Math.abs(low) < (long) (share * Long.MAX_VALUE);
    }
}
