package io.entrepot.chaos.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

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

    /** Parents before what is in them. */
    static List<Path> all(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            return walk.toList();
        }
    }
}
