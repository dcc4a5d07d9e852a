package io.entrepot.lab;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The cache of loaded and linked classes with which all children of a run start quicker. */
public final class AotCache {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private AotCache() {}

    /**
     * Runs one child, gives it the commands and waits until it ends by itself. Children of the returned kind find what that
     * one loaded in a cache, which is gone when this process is. Without effect if a class path entry is a directory,
     * which the JVM does not cache.
     */
    public static ChildSpec train(ChildSpec spec, List<String> commands) throws IOException, InterruptedException {
        if (!cacheable(spec.classPath())) {
            return spec;
        }
        Path directory = LabDirectory.create(DiskOptions.memory()).path();
        Path recorded = directory.resolve("recorded");
        Path cache = directory.resolve("cache.aot");
        // In two steps: the JVM's way of doing both at once cannot stand a blank in a path.
        try (ChildJvm child = ChildJvm
                .start(spec.withFlags("-XX:AOTMode=record", "-XX:AOTConfiguration=" + recorded))) {
            child.awaitReady(PATIENCE);
            for (String command : commands) {
                child.send(command);
            }
            child.awaitEnd(PATIENCE);
        }
        Command.check(spec.withFlags("-XX:AOTMode=create", "-XX:AOTConfiguration=" + recorded)
                .withAotCache(cache)
                .command()
                .toArray(String[]::new));
        return spec.withAotCache(cache);
    }

    static boolean cacheable(String classPath) {
        return List.of(classPath.split(File.pathSeparator, -1)).stream().allMatch(entry -> entry.endsWith(".jar"));
    }
}
