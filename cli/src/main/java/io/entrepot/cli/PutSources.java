package io.entrepot.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What was named to be stored, one file at a time. A symbolic link on the command line is followed, as people mean what it
 * leads to; one within a directory is not, and neither are pipes and the like taken from there. What belongs to a pool is no source: its
 * books, which have keys in them, and what is on its volumes would become its files.
 *
 * @param problems told of what cannot be read
 * @param leftOut  told of directories that belong to a pool
 */
record PutSources(List<Path> given, String directory, Consumer<IOException> problems, Consumer<Path> leftOut) {

    /** A file and the logical directory it goes to. */
    record Source(Path path, String directory) {}

    /** Takes a source; says whether there should be more. */
    interface Taker {
        boolean take(Source source);
    }

    /** What is wrong on the command line is told before anything is stored. */
    void requireUsable() throws IOException {
        for (Path path : given) {
            if (path.equals(Path.of("-"))) {
                continue;
            }
            if (path.toString().isEmpty()) {
                throw new Failure("usage", "an empty name is no file; the directory that you are in is .",
                        ExitCode.USAGE);
            }
            if (!Files.exists(path)) {
                throw new NoSuchFileException(path + " does not exist");
            }
            for (Path above = path.toRealPath(); above != null; above = above.getParent()) {
                if (isOfAPool(above)) {
                    throw new Failure("usage", path + " belongs to a pool: " + above
                            + " has its database or is one of its volumes", ExitCode.USAGE);
                }
            }
        }
    }

    /** A data directory, or a volume. */
    private static boolean isOfAPool(Path directory) {
        return Files.exists(directory.resolve("entrepot.db")) || Files.exists(directory.resolve("entrepot.server"))
                || Files.exists(directory.resolve(".entrepot/volume"));
    }

    void forEach(Taker taker) throws IOException {
        for (Path path : given) {
            if (Files.isDirectory(path) ? !walk(path, taker) : !taker.take(new Source(path, directory))) {
                return;
            }
        }
    }

    private boolean walk(Path named, Taker taker) throws IOException {
        Path root = named.toRealPath(); // a walk does not enter a root that is a link
        boolean[] more = {true};
        FileVisitor<Path> visitor = new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                if (!isOfAPool(directory)) {
                    return FileVisitResult.CONTINUE;
                }
                leftOut.accept(directory);
                return FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                    more[0] = taker.take(new Source(file, below(root.relativize(file).getParent())));
                }
                return more[0] ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                problems.accept(e);
                return FileVisitResult.CONTINUE;
            }
        };
        Files.walkFileTree(root, visitor);
        return more[0];
    }

    private String below(@Nullable Path parent) {
        return parent == null ? directory : directory + "/" + parent;
    }
}
