package io.entrepot.store.contract;

import io.entrepot.store.DataDirectory;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The main database of a data directory. A crash goes on with a copy of its files. */
public final class SqliteFixture implements StoreFixture {
    private final Path root;
    private final List<DataDirectory> opened = new ArrayList<>();
    private int lives = 1;

    public SqliteFixture(Path root) {
        this.root = root;
    }

    @Override
    public Store open(StoreConfig config) {
        if (!opened.isEmpty() && opened.getLast().path().equals(path())) {
            opened.removeLast().close();
        }
        opened.add(DataDirectory.open(path(), config));
        return opened.getLast().main();
    }

    private Path path() {
        return root.resolve("data-" + lives);
    }

    @Override
    public void crash() {
        Path from = path();
        lives++;
        copyDatabases(from, path());
    }

    /** The database files and their logs, as they are now. What only lives in shared memory is not among them. */
    public static void copyDatabases(Path from, Path to) {
        try {
            Files.createDirectories(to);
            for (String name : List.of(DataDirectory.MAIN, DataDirectory.MAIN + "-wal")) {
                if (Files.exists(from.resolve(name))) {
                    Files.copy(from.resolve(name), to.resolve(name));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        opened.forEach(DataDirectory::close);
    }
}
