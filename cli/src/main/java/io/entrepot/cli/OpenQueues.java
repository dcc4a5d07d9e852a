package io.entrepot.cli;

import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.DirectoryInUseException;
import io.entrepot.store.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;

/** A data directory with its queues, open for as long as a command runs. */
record OpenQueues(DataDirectory data, Queues queues) implements AutoCloseable {
    static final StoreConfig CONFIG = StoreConfig.of(Queues.SCHEMA);

    static OpenQueues open(Path directory) {
        DataDirectory data = data(directory);
        try {
            return new OpenQueues(data, Queues.open(data, CONFIG, QueueConfig.DEFAULT));
        } catch (RuntimeException e) {
            data.close();
            throw e;
        }
    }

    private static DataDirectory data(Path directory) {
        try {
            return DataDirectory.open(directory, CONFIG);
        } catch (DirectoryInUseException e) {
            Reach.requireNoServer(directory, "this works on the database itself: stop it first, or use 'entrepot pool',"
                    + " which goes through it");
            throw e;
        }
    }

    /** For commands that make no sense on a directory that is not there: a typing error must not make a new one. */
    static OpenQueues openExisting(Path directory) {
        if (!Files.exists(directory.resolve(DataDirectory.MAIN))) {
            throw new Failure("no-data",
                    directory + " is not a data directory; name one with --data, or put something first");
        }
        return open(directory);
    }

    @Override
    public void close() {
        queues.close();
        data.close();
    }
}
