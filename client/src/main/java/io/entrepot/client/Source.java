package io.entrepot.client;

import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/** Where the bytes of an upload come from; more than once, if they can. For one thread. */
sealed interface Source {

    /** How many there are, if that is known. */
    OptionalLong size();

    /** From the beginning; if it {@link #isRepeatable}. */
    InputStream open() throws IOException;

    boolean isRepeatable();

    /** @param read told of the bytes that were read each time */
    static Source of(Path file, OptionalLong size, LongConsumer read) {
        return new OfFile(file, size, read);
    }

    /** @param head what was read of the stream before; the rest is read and not closed */
    static Source of(byte[] head, InputStream rest, OptionalLong size) {
        return new OfStream(head, rest, size);
    }

    record OfFile(Path file, OptionalLong size, LongConsumer read) implements Source {
        @Override
        public InputStream open() throws IOException {
            return new FilterInputStream(Files.newInputStream(file)) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    int n = in.read(into, offset, length);
                    if (n > 0) {
                        read.accept(n);
                    }
                    return n;
                }
            };
        }

        @Override
        public boolean isRepeatable() {
            return true;
        }
    }

    /** A stream of a file can be wound back. Others cannot, or only by keeping everything: they are good until they are read. */
    final class OfStream implements Source {
        private final byte[] head;
        private final InputStream rest;
        private final OptionalLong size;
        /** Where the rest begins in its file; -1 if it has no place. */
        private final long start;
        private boolean touched;

        private OfStream(byte[] head, InputStream rest, OptionalLong size) {
            this.head = head;
            this.rest = rest;
            this.size = size;
            this.start = position(rest);
        }

        private static long position(InputStream in) {
            try {
                return in instanceof FileInputStream file ? file.getChannel().position() : -1;
            } catch (IOException e) {
                return -1; // a pipe
            }
        }

        @Override
        public OptionalLong size() {
            return size;
        }

        @Override
        public InputStream open() throws IOException {
            if (start >= 0 && rest instanceof FileInputStream file) {
                file.getChannel().position(start);
            }
            return new SequenceInputStream(new ByteArrayInputStream(head), new FilterInputStream(rest) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    touched = true;
                    return in.read(into, offset, length);
                }

                @Override
                public void close() {
                    // it is the caller's
                }
            });
        }

        @Override
        public boolean isRepeatable() {
            return start >= 0 || !touched;
        }
    }
}
