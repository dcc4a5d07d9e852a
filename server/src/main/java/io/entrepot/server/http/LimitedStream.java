package io.entrepot.server.http;

import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that must not have more than so many bytes. For one thread. */
public final class LimitedStream extends FilterInputStream {
    private final long most;
    private long left;

    public LimitedStream(InputStream in, long most) {
        super(in);
        this.most = most;
        this.left = most;
    }

    @Override
    public int read() throws IOException {
        int one = super.read();
        count(one < 0 ? 0 : 1);
        return one;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int n = super.read(into, offset, length);
        count(Math.max(0, n));
        return n;
    }

    private void count(int n) {
        left -= n;
        if (left < 0) {
            throw tooLarge(most);
        }
    }

    public static ProblemException tooLarge(long most) {
        return new ProblemException(Code.TOO_LARGE, "the body is larger than the " + most + " bytes that are allowed");
    }
}
