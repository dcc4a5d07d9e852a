package io.entrepot.cli;

import java.io.IOException;
import java.io.Writer;

/** What is left of standard output when {@code head} has seen enough. */
final class ClosedPipe extends Writer {

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        throw new IOException("Broken pipe");
    }

    @Override
    public void flush() {
        // nothing is ever held back
    }

    @Override
    public void close() {
        // it is
    }
}
