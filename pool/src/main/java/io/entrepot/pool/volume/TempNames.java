package io.entrepot.pool.volume;

import io.entrepot.lease.Nonces;
import io.entrepot.posix.Name;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Names for what has no place yet: random for each opening of a volume, as others may write to the same storage, and counted
 * from there on. Safe for use by many threads.
 */
final class TempNames {
    private static final Pattern ALLOWED = Pattern.compile("[0-9a-f]{16}-[0-9]{1,19}");

    private final String prefix;
    private final AtomicLong next = new AtomicLong();

    TempNames(Nonces nonces) {
        this.prefix = HexFormat.of().toHexDigits(nonces.next()) + "-";
    }

    static boolean isOne(String text) {
        return ALLOWED.matcher(text).matches();
    }

    Name next() {
        return Name.of(prefix + next.incrementAndGet());
    }
}
