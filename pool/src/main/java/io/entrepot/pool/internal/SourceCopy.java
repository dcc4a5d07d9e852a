package io.entrepot.pool.internal;

import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.VolumeException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Copies a large file of this machine onto a volume within the system: that spares two ways through our memory, and all of the copying
 * where the file system lets two files share their blocks. What is summed up is what has arrived on the volume.
 *
 * <p>It goes as far as it goes smoothly. Whatever ends it early and is no failure of the volume, a source that shrinks or grows, cannot
 * be read or cannot be copied in this way, is left to whoever goes on byte by byte from there, and finds out whose fault it is. Used once.
 */
final class SourceCopy {
    private final Incoming incoming;
    private final FileSource source;
    private final MessageDigest digest;
    private final Duration patience;

    SourceCopy(Incoming incoming, FileSource source, MessageDigest digest, Duration patience) {
        this.incoming = incoming;
        this.source = source;
        this.digest = digest;
        this.patience = patience;
    }

    /** From the beginning of the file; how much of it has been copied and summed up. It stands behind that then. */
    long run(long size) throws IOException, VolumeException, InterruptedException {
        FileChannel from = source.lend();
        CopyAhead ahead = CopyAhead.start((at, most) -> incoming.copy(from, at, most), size, patience);
        try {
            long summed = 0;
            for (CopyAhead.Course course = ahead.awaitMoreThan(0); course != CopyAhead.Course.OVER; course = ahead
                    .awaitMoreThan(summed)) {
                if (course == CopyAhead.Course.STUCK) {
                    incoming.check(); // or it is the source, for which its caller waits as long as it takes
                } else {
                    long there = ahead.copied();
                    incoming.sum(summed, there - summed, digest);
                    source.readTo(there);
                    summed = there;
                }
            }
            requireNoFault(ahead.failure().orElse(null));
            source.returned(summed);
            return summed;
        } finally {
            ahead.stop(); // whatever came between
        }
    }

    private static void requireNoFault(@Nullable Throwable why) throws VolumeException {
        switch (why) {
            case VolumeException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {
            }
        }
    }
}
