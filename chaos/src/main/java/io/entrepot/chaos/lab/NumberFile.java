package io.entrepot.chaos.lab;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file an {@link AppendingChild} writes: 1, 2, 3 …, eight bytes each. */
record NumberFile(Path directory) {

    /** How many numbers there are, and whether they are the right ones. A part of a number at the end is none. */
    record Contents(long count, boolean whole) {}

    Path path() {
        return directory.resolve("numbers");
    }

    Contents check() throws IOException {
        if (!Files.exists(path())) {
            return new Contents(0, true);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path()));
        long count = 0;
        while (bytes.remaining() >= Long.BYTES) {
            if (bytes.getLong() != count + 1) {
                return new Contents(count, false);
            }
            count++;
        }
        return new Contents(count, bytes.remaining() == 0);
    }
}
