package io.entrepot.server.http;

import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * How fast a body has to come, so that a client that sends a byte now and then does not keep a thread and an upload for ever.
 * Immutable.
 *
 * @param perSecond bytes; 0 for any pace
 * @param over      the time that it is averaged over
 */
public record Pace(long perSecond, Duration over) {

    public InputStream keptBy(InputStream in) {
        return perSecond == 0 ? in : new Paced(in);
    }

    /** Only the time that is spent waiting for the client counts, and not what is done with the bytes. For one thread. */
    private final class Paced extends FilterInputStream {
        private long waited;
        private long came;

        Paced(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            long began = System.nanoTime();
            int one = super.read();
            count(System.nanoTime() - began, one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            long began = System.nanoTime();
            int n = super.read(into, offset, length);
            count(System.nanoTime() - began, Math.max(0, n));
            return n;
        }

        private void count(long nanos, int bytes) throws IOException {
            waited += nanos;
            came += bytes;
            if (waited < over.toNanos()) {
                return;
            }
            if (came < perSecond * (waited / 1e9)) {
                // As by a connection that breaks: who keeps what has come by then keeps it here too.
                throw new IOException(new ProblemException(Code.TIMEOUT, "the body came more slowly than " + perSecond
                        + " bytes a second"));
            }
            waited = 0;
            came = 0;
        }
    }
}
