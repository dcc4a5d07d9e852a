package io.entrepot.bench.queue;

import io.entrepot.store.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Our queue in a directory of its own, which is gone when it is closed. */
final class EmbeddedQueue implements AutoCloseable {
    private final Path directory;
    private final DataDirectory data;
    private final OurQueue queue;

    EmbeddedQueue(Path directory) {
        this.directory = directory;
        this.data = DataDirectory.open(directory, OurQueue.CONFIG);
        this.queue = new OurQueue(data);
    }

    OurQueue queue() {
        return queue;
    }

    @Override
    public void close() throws IOException {
        queue.close();
        data.close();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
