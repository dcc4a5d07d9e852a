package io.entrepot.store.internal;

import io.entrepot.store.NotDoneException;
import io.entrepot.store.Store;
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
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A backup is a directory with a copy of each database and a list of them with their checksums. It appears under its
 * name only when it is complete and on the disk; so does a restored data directory.
 */
public final class Backups {
    private static final String LIST = "backup.properties";
    private static final String FILE = "sha256.";

    private Backups() {}

    public static void write(Path target, Map<String, Store> stores, Instant at) {
        requireNothingAt(target, "a backup overwrites nothing");
        Path unfinished = sibling(target, ".unfinished");
        try {
            delete(unfinished);
            Files.createDirectories(unfinished);
            Properties list = new Properties();
            list.setProperty("format", "1");
            list.setProperty("at", at.toString());
            for (Map.Entry<String, Store> entry : stores.entrySet()) {
                Path file = unfinished.resolve(entry.getKey());
                Files.createDirectories(directoryOf(file));
                entry.getValue().backup(file);
                list.setProperty("incarnation." + entry.getKey(), entry.getValue().incarnation().toString());
                list.setProperty(FILE + entry.getKey(), sha256(file));
            }
            try (OutputStream out = Files.newOutputStream(unfinished.resolve(LIST))) {
                list.store(out, "Entrepot backup");
            }
            publish(unfinished, target);
        } catch (IOException e) {
            throw NotDoneException.io("the backup to " + target + " failed: " + e, e);
        }
    }

    /** {@code open} begins the new life of the copied databases, before the directory gets its name. */
    public static void restore(Path backup, Path target, Consumer<Path> open) {
        requireNothingAt(target, "move it away first: a restore overwrites nothing");
        Path unfinished = sibling(target, ".restoring");
        try {
            Map<String, String> sums = verified(backup);
            delete(unfinished);
            for (String name : sums.keySet()) {
                Path copy = unfinished.resolve(name);
                Files.createDirectories(directoryOf(copy));
                Files.copy(backup.resolve(name), copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
            open.accept(unfinished);
            publish(unfinished, target);
        } catch (IOException e) {
            throw NotDoneException.io("restoring " + backup + " to " + target + " failed: " + e, e);
        }
    }

    private static Map<String, String> verified(Path backup) throws IOException {
        Path listed = backup.resolve(LIST);
        if (!Files.isRegularFile(listed)) {
            throw NotDoneException.refused(backup + " is not a backup: it has no " + LIST, null);
        }
        Properties list = new Properties();
        try (InputStream in = Files.newInputStream(listed)) {
            list.load(in);
        }
        Map<String, String> sums = new TreeMap<>();
        for (String key : list.stringPropertyNames()) {
            if (key.startsWith(FILE)) {
                sums.put(key.substring(FILE.length()), list.getProperty(key));
            }
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
        return sums;
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
        if (Files.isDirectory(target)) {
            Files.delete(target);
        }
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        Durable.syncDirectory(directoryOf(target));
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
