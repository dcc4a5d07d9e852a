package io.entrepot.server.route;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a request is called in the log, in answers and by those who sent it. */
final class RequestId {
    static final String HEADER = "X-Request-Id";
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private RequestId() {}

    /** What the sender calls it, if that can stand in a log; else a new one. */
    static String of(@Nullable String given) {
        return given != null && SANE.matcher(given).matches()
                ? given
                : HexFormat.of().toHexDigits(RANDOM.nextLong());
    }
}
