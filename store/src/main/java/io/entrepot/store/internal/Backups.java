package io.entrepot.store.internal;

import io.entrepot.store.DataDirectory;
import io.entrepot.store.IncompatibleDataException;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.StoreDamagedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A backup is a directory with a copy of each database and a list of them with their checksums. It appears under its
 * name only when it is complete and on the disk; so does a restored data directory. What was begun beside it and not
 * finished is removed, at the latest by the next attempt.
 */
public final class Backups {
    private static final String LIST = "backup.properties";
    private static final String FORMAT = "1";
    private static final String FILE = "sha256.";

    private Backups() {}

    /** Where the copies of a backup are put; each is named by its path within the data directory. */
    public interface Copies {
        void add(String name, Consumer<Path> copy);
    }

    public static void write(Path target, Instant at, Consumer<Copies> copying) {
        requireNothingAt(target, "a backup overwrites nothing");
        Path unfinished = sibling(target, ".unfinished");
        Properties list = new Properties();
        list.setProperty("format", FORMAT);
        list.setProperty("at", at.toString());
        inPlace(unfinished, target, "the backup to " + target + " failed", () -> {
            copying.accept((name, copy) -> copy(unfinished.resolve(name), name, copy, list));
            try (OutputStream out = Files.newOutputStream(unfinished.resolve(LIST))) {
                list.store(out, "Entrepot backup");
            }
        });
    }

    private static void copy(Path file, String name, Consumer<Path> copy, Properties list) {
        try {
            Files.createDirectories(directoryOf(file));
            copy.accept(file);
            list.setProperty(FILE + name, sha256(file));
        } catch (IOException e) {
            throw Durable.notDone("the copy of " + name + " failed", e);
        }
    }

    /** {@code open} begins the new life of the copied databases, before the directory gets its name. */
    public static void restore(Path backup, Path target, Consumer<Path> open) {
        requireNothingAt(target, "move it away first: a restore overwrites nothing");
        Path unfinished = sibling(target, ".restoring");
        inPlace(unfinished, target, "restoring " + backup + " to " + target + " failed", () -> {
            for (String name : verified(backup)) {
                Path copy = unfinished.resolve(name);
                Files.createDirectories(directoryOf(copy));
                Files.copy(backup.resolve(name), copy);
            }
            open.accept(unfinished);
        });
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Fills a new directory and gives it its name, or leaves nothing. */
    private static void inPlace(Path unfinished, Path target, String failure, Step fill) {
        try {
            delete(unfinished);
            try {
                Files.createDirectories(unfinished);
                fill.run();
                publish(unfinished, target);
            } catch (IOException | RuntimeException e) {
                deleteAfter(e, unfinished);
                throw e;
            }
        } catch (IOException e) {
            throw Durable.notDone(failure, e);
        }
    }

    private static void deleteAfter(Exception failure, Path unfinished) {
        try {
            delete(unfinished);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** A file of a backup, which is what it was when it was written; as are all others. */
    static Path verified(Path backup, String name) throws IOException {
        if (!verified(backup).contains(name)) {
            throw NotDoneException.refused("the backup " + backup + " has no " + name, null);
        }
        return backup.resolve(name);
    }

    /** When a backup was written; nothing if it is none that can be read. */
    public static Optional<Instant> time(Path backup) {
        try (InputStream in = Files.newInputStream(backup.resolve(LIST))) {
            Properties list = new Properties();
            list.load(in);
            return Optional.ofNullable(list.getProperty("at")).map(Instant::parse);
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The names of the files in a backup, all of which are what they were when it was written. */
    private static List<String> verified(Path backup) throws IOException {
        Path listed = backup.resolve(LIST);
        if (!Files.isRegularFile(listed)) {
            throw NotDoneException.refused(backup + " is not a backup: it has no " + LIST, null);
        }
        Properties list = new Properties();
        try (InputStream in = Files.newInputStream(listed)) {
            list.load(in);
        } catch (IllegalArgumentException e) {
            throw new StoreDamagedException("the backup " + backup + " is damaged: " + LIST + " cannot be read", e);
        }
        if (!FORMAT.equals(list.getProperty("format"))) {
            throw new IncompatibleDataException("the backup " + backup + " has format " + list.getProperty("format")
                    + ", this version of Entrepot knows " + FORMAT + "; use the version that made it");
        }
        Map<String, String> sums = new TreeMap<>();
        for (String key : list.stringPropertyNames()) {
            if (key.startsWith(FILE)) {
                sums.put(key.substring(FILE.length()), list.getProperty(key));
            }
        }
        if (!sums.containsKey(DataDirectory.MAIN)) {
            throw new StoreDamagedException("the backup " + backup + " does not list " + DataDirectory.MAIN, null);
        }
        for (Map.Entry<String, String> sum : sums.entrySet()) {
            Path file = backup.resolve(sum.getKey()).normalize();
            if (!file.startsWith(backup.normalize()) || !Files.isRegularFile(file)) {
                throw new StoreDamagedException("the backup " + backup + " lacks " + sum.getKey(), null);
            }
            if (!sha256(file).equals(sum.getValue())) {
                throw new StoreDamagedException("the backup " + backup + " is damaged: " + sum.getKey()
                        + " is not what was written", null);
            }
        }
        return List.copyOf(sums.keySet());
    }

    private static void publish(Path unfinished, Path target) throws IOException {
        try (Stream<Path> all = Files.walk(unfinished)) {
            for (Path path : all.toList()) {
                if (Files.isDirectory(path)) {
                    Durable.syncDirectory(path);
                } else {
                    Durable.sync(path);
                }
            }
        }
        // Onto an empty directory, if there is one; onto nothing else, even if it has come since we looked.
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        try {
            Durable.syncPath(directoryOf(target));
        } catch (IOException e) {
            deleteAfter(e, target); // it might be gone after a power cut, and its maker is not told that it is there
            throw e;
        }
    }

    private static void requireNothingAt(Path target, String why) {
        try {
            if (Files.exists(target) && !(Files.isDirectory(target) && isEmpty(target))) {
                throw NotDoneException.refused("there is something at " + target + " already; " + why, null);
            }
        } catch (IOException e) {
            throw NotDoneException.io("cannot look at " + target + ": " + e, e);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> all = Files.walk(directory)) {
                List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
                for (Path path : deepestFirst) {
                    Files.delete(path);
                }
            }
        }
    }

    private static Path sibling(Path target, String suffix) {
        Path absolute = target.toAbsolutePath().normalize();
        return absolute.resolveSibling(absolute.getFileName() + suffix);
    }

    private static Path directoryOf(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file : parent;
    }

    private static String sha256(Path file) throws IOException {
        try (DigestInputStream in = new DigestInputStream(Files.newInputStream(file),
                MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
