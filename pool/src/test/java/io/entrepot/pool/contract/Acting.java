package io.entrepot.pool.contract;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;

/** A stream that does something when it is read: gives as many bytes as that says, and then ends. For one thread. */
final class Acting extends InputStream {
    private final Callable<Integer> act;
    private boolean acted;

    Acting(Callable<Integer> act) {
        this.act = act;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (acted) {
            return -1;
        }
        acted = true;
        try {
            int n = act.call();
            return n == 0 ? -1 : Math.min(n, length);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
