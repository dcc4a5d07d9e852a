package io.entrepot.queue.contract;

import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Queues;
import io.entrepot.queue.Witness;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.util.Optional;

/** Queues in an embedded data directory. */
public final class SqliteFixture implements QueuesFixture {
    private final Path path;
    private Optional<DataDirectory> directory = Optional.empty();
    private Optional<Queues> queues = Optional.empty();

    public SqliteFixture(Path root) {
        path = root.resolve("data");
    }

    @Override
    public Queues open(StoreConfig storeConfig, QueueConfig config, Witness witness) {
        close();
        DataDirectory opened = DataDirectory.open(path, storeConfig);
        directory = Optional.of(opened);
        Queues made = Queues.open(opened, storeConfig, config, witness);
        queues = Optional.of(made);
        return made;
    }

    public DataDirectory directory() {
        return directory.orElseThrow();
    }

    @Override
    public Store store(Owner owner) {
        return directory().store(owner);
    }

    @Override
    public void close() {
        queues.ifPresent(Queues::close);
        directory.ifPresent(DataDirectory::close);
        queues = Optional.empty();
        directory = Optional.empty();
    }
}
