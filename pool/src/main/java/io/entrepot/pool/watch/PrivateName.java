package io.entrepot.pool.watch;

import io.entrepot.pool.FileKey;
import io.entrepot.posix.Name;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a source is called between its import and its end: {@code .entrepot-KEY-NAME}, with the key of the file it became and as
 * much of the end of its own name as fits. Nobody else uses such names, so what has one was taken by us.
 */
record PrivateName(FileKey file, Name original) {
    private static final String PREFIX = ".entrepot-";
    private static final String PROBE = PREFIX + "probe-";
    private static final Pattern PROBES = Pattern.compile(Pattern.quote(PROBE) + "[0-9a-f]{16}");
    private static final int KEY = 32;
    private static final int BEGIN = PREFIX.length() + KEY + 1;
    private static final int LONGEST = 255;

    Name name() {
        byte[] own = original.bytes();
        int from = Math.max(0, BEGIN + own.length - LONGEST);
        byte[] begin = (PREFIX + file + "-").getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(begin, BEGIN + own.length - from);
        System.arraycopy(own, from, all, BEGIN, own.length - from);
        return Name.of(all);
    }

    static Optional<PrivateName> parse(Name name) {
        if (!isOurs(name) || name.length() <= BEGIN) {
            return Optional.empty();
        }
        byte[] bytes = name.bytes();
        String key = new String(bytes, PREFIX.length(), KEY, StandardCharsets.ISO_8859_1);
        boolean valid = bytes[BEGIN - 1] == '-' && FileKey.isValid(key) && !isDots(bytes);
        return valid
                ? Optional.of(new PrivateName(FileKey.parse(key), Name.of(bytes, BEGIN, bytes.length)))
                : Optional.empty();
    }

    /** For finding out whether changes are notified. */
    static Name probe(long nonce) {
        return Name.of(PROBE + HexFormat.of().toHexDigits(nonce));
    }

    static boolean isProbe(Name name) {
        return PROBES.matcher(new String(name.bytes(), StandardCharsets.ISO_8859_1)).matches();
    }

    /** Also that of a probe. */
    static boolean isOurs(Name name) {
        byte[] prefix = PREFIX.getBytes(StandardCharsets.US_ASCII);
        return name.length() >= prefix.length && Arrays.equals(name.bytes(), 0, prefix.length, prefix, 0,
                prefix.length);
    }

    /** The rest of it may be no name, if somebody else made it. */
    private static boolean isDots(byte[] bytes) {
        String rest = new String(bytes, BEGIN, bytes.length - BEGIN, StandardCharsets.ISO_8859_1);
        return rest.equals(".") || rest.equals("..");
    }
}
