package io.entrepot.store.internal;

import io.entrepot.store.NotDoneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Puts another database file into the place of one that is damaged or gone. What was there is moved away whole, with its log,
 * and nothing of it is deleted. After a crash the place has the old file, none, or the new one; never a part.
 */
public final class Replacement {
    /** What SQLite keeps beside a database file. */
    private static final List<String> PARTS = List.of("", "-wal", "-shm", "-journal");

    private Replacement() {}

    /**
     * @param name   of the database, by its path within the data directory
     * @param aside  a directory for what is there; made if that is anything
     * @param backup where the new file comes from; without one the place is left empty
     * @param begin  begins the new life of the copy
     */
    public static void replace(Path directory, String name, Path aside, Optional<Path> backup, Consumer<Path> begin) {
        Path file = directory.resolve(name);
        Path copy = file.resolveSibling(file.getFileName() + ".restored");
        try {
            for (String part : PARTS) {
                Files.deleteIfExists(copy.resolveSibling(copy.getFileName() + part)); // of a try that was cut short
            }
            if (backup.isPresent()) {
                Files.createDirectories(directoryOf(copy));
                Files.copy(Backups.verified(backup.get(), name), copy, StandardCopyOption.REPLACE_EXISTING);
                begin.accept(copy);
                requireWhole(copy);
                Durable.sync(copy);
            }
            setAside(directory, name, aside);
            if (backup.isPresent()) {
                Durable.replace(copy, file);
                Durable.syncPath(directoryOf(file));
            }
        } catch (IOException e) {
            throw Durable.notDone("the database " + file + " cannot be replaced", e);
        }
    }

    /** What the copy began its new life with is in its log until the database has taken that over, as on a full disk it cannot. */
    private static void requireWhole(Path copy) throws IOException {
        Path log = copy.resolveSibling(copy.getFileName() + "-wal");
        if (Files.exists(log) && Files.size(log) > 0) {
            throw NotDoneException
                    .io("the new life of " + copy + " is only in its log, which the database could not take"
                            + " over; nothing was replaced. Is the disk full?", null);
        }
    }

    private static void setAside(Path directory, String name, Path aside) throws IOException {
        for (String part : PARTS) {
            Path from = directory.resolve(name + part);
            if (Files.exists(from, LinkOption.NOFOLLOW_LINKS)) {
                Path to = aside.resolve(name + part);
                if (Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
                    throw NotDoneException.refused(to + " is there already; what is set aside overwrites nothing",
                            null);
                }
                Files.createDirectories(directoryOf(to));
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
                Durable.syncPath(directoryOf(to));
                Durable.syncDirectory(directoryOf(from));
            }
        }
    }

    private static Path directoryOf(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file : parent;
    }
}
