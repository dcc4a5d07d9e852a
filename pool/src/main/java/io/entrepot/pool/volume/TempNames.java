package io.entrepot.pool.volume;

import io.entrepot.lease.Nonces;
import io.entrepot.posix.Errno;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import java.io.IOException;
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

    @FunctionalInterface
    interface Making<T> {
        T make(Name name) throws IOException;
    }

    /** Makes something under the next name. One that somebody else has, whatever the chance, is passed over. */
    <T> T unused(Making<T> making) throws IOException {
        while (true) {
            try {
                return making.make(next());
            } catch (PosixException e) {
                if (!e.is(Errno.EEXIST)) {
                    throw e;
                }
            }
        }
    }

    Name next() {
        return Name.of(prefix + next.incrementAndGet());
    }
}
