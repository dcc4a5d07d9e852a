package io.entrepot.lab;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Makes the cache of loaded and linked classes with which all children of a run start quicker. */
public final class AotCache {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private AotCache() {}

    /**
     * Runs one child, gives it the commands and waits until it ends by itself; what it loaded is in the cache. Empty if a
     * class path entry is a directory, which the JVM does not cache.
     */
    public static Optional<Path> train(ChildSpec spec, List<String> commands, Path file)
            throws IOException, InterruptedException {
        if (!cacheable(spec.classPath())) {
            return Optional.empty();
        }
        try (ChildJvm child = ChildJvm.start(spec.withFlags("-XX:AOTCacheOutput=" + file))) {
            child.listen(unheard -> {});
            child.awaitReady(PATIENCE);
            for (String command : commands) {
                child.send(command);
            }
            child.awaitEnd(PATIENCE);
            return Files.exists(file) ? Optional.of(file) : Optional.empty();
        }
    }

    static boolean cacheable(String classPath) {
        return List.of(classPath.split(File.pathSeparator, -1)).stream().allMatch(entry -> entry.endsWith(".jar"));
    }
}
