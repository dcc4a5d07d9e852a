package io.entrepot.chaos.pool;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Directories with all that is in them. */
final class Tree {

    private Tree() {}

    /** With attributes, also those that users give. */
    static void copy(Path from, Path to) throws IOException {
        for (Path path : all(from)) {
            Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    static void delete(Path directory) throws IOException {
        for (Path path : all(directory).reversed()) {
            Files.deleteIfExists(path);
        }
    }

    /** Parents before what is in them; without what somebody removes meanwhile. */
    static List<Path> all(Path directory) throws IOException {
        List<Path> all = new ArrayList<>();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
                all.add(path);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                all.add(path);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
                return gone(path, e);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path path, @Nullable IOException e) throws IOException {
                return e == null ? FileVisitResult.CONTINUE : gone(path, e);
            }

            private FileVisitResult gone(Path path, IOException e) throws IOException {
                if (e instanceof NoSuchFileException && !path.equals(directory)) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return all;
    }
}
