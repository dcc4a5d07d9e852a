package io.entrepot.lab;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Lines that end with a line feed. Java's own readers also return what comes after the last one; from a writer that was
 * killed that is a fragment, and a fragment can look like a shorter but valid message. Use from one thread.
 */
final class WholeLines {

    private final InputStream stream;

    WholeLines(InputStream stream) {
        this.stream = stream;
    }

    /** Until the stream ends, or breaks because its process is gone. */
    void forEach(Consumer<String> consumer) {
        byte[] buffer = new byte[64 << 10];
        ByteArrayOutputStream pending = new ByteArrayOutputStream();
        for (int length = read(buffer); length >= 0; length = read(buffer)) {
            int start = 0;
            for (int i = 0; i < length; i++) {
                if (buffer[i] == '\n') {
                    pending.write(buffer, start, i - start);
                    consumer.accept(pending.toString(StandardCharsets.UTF_8));
                    pending.reset();
                    start = i + 1;
                }
            }
            pending.write(buffer, start, length - start);
        }
    }

    private int read(byte[] buffer) {
        try {
            return stream.read(buffer);
        } catch (IOException broken) {
            return -1;
        }
    }
}
