package io.entrepot.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory that belongs to this process and is gone when the process is: on {@link #close}, else at exit, else (after
 * {@code kill -9}) when the next run looks into the same place. Its name says who made it, so that only directories whose
 * maker is dead are ever taken away by somebody else. Whatever is mounted inside is unmounted first.
 *
 * <p>Safe for use by many threads; closing twice does nothing.
 */
public final class LabDirectory implements AutoCloseable {

    private static final Pattern NAME = Pattern.compile("entrepot-lab-(\\d+)-(\\d+)-\\d+");
    private static final AtomicLong NEXT = new AtomicLong();
    private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    private final Path path;
    private final AtExit.Registration atExit;

    private LabDirectory(Path path) {
        this.path = path;
        this.atExit = AtExit.register(() -> remove(path));
    }

    /** Makes a new one in the place, after taking away what dead processes left there. */
    public static LabDirectory create(Path place) throws IOException {
        Files.createDirectories(place);
        Path real = place.toRealPath();
        if (SWEPT.add(real)) {
            sweep(real);
        }
        Owner self = Owner.self();
        String name = "entrepot-lab-" + self.pid() + "-" + self.started() + "-" + NEXT.incrementAndGet();
        return new LabDirectory(Files.createDirectory(real.resolve(name)));
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        if (atExit.cancel()) {
            remove(path);
        }
    }

    /** Takes away the directories of dead processes; another user's are left alone. Returns those that are gone now. */
    static List<Path> sweep(Path place) throws IOException {
        List<Path> dead;
        try (Stream<Path> entries = Files.list(place)) {
            dead = entries.filter(LabDirectory::abandoned).toList();
        }
        for (Path leftover : dead) {
            PostgresServer.stopUnder(leftover);
            remove(leftover);
        }
        return dead;
    }

    private static boolean abandoned(Path entry) {
        return owner(entry).filter(owner -> !owner.alive()).isPresent() && ours(entry);
    }

    private static Optional<Owner> owner(Path entry) {
        Matcher name = NAME.matcher(entry.getFileName().toString());
        return name.matches()
                ? Optional.of(new Owner(Long.parseLong(name.group(1)), Long.parseLong(name.group(2))))
                : Optional.empty();
    }

    private static boolean ours(Path entry) {
        try {
            return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(entry).getName().equals(System.getProperty("user.name"));
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path directory) throws IOException {
        for (Mount mount : Mount.under(directory)) {
            unmount(mount.point());
        }
        // INVARIANT: nothing is deleted through a mount.
        if (!Mount.under(directory).isEmpty()) {
            throw new IOException("still mounted: " + Mount.under(directory));
        }
        deleteTree(directory);
    }

    /** A loop device made by mount goes with its mount. A mount in use is taken out of sight and ends with its last user. */
    private static void unmount(Path point) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!Command.run("umount", point.toString()).ok()) {
            if (System.nanoTime() - deadline > 0) {
                Command.check("umount", "-l", point.toString());
                return;
            }
        }
    }

    private static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
                    throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.deleteIfExists(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
