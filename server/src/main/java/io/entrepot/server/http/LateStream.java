package io.entrepot.server.http;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, asked for when it is read. Asking is what tells a client that waits for it ({@code Expect: 100-continue}) to
 * send: so one that is refused before has sent nothing, and hears why. For one thread.
 */
public final class LateStream extends InputStream {
    private final Body body;
    private @Nullable InputStream in;

    /** Where it comes from. */
    @FunctionalInterface
    public interface Body {
        InputStream open() throws IOException;
    }

    public LateStream(Body body) {
        this.body = body;
    }

    private InputStream opened() throws IOException {
        InputStream now = in;
        if (now == null) {
            now = body.open();
            in = now;
        }
        return now;
    }

    @Override
    public int read() throws IOException {
        return opened().read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        return opened().read(into, offset, length);
    }

    @Override
    public int available() throws IOException {
        return in == null ? 0 : in.available();
    }
}
