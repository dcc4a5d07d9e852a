package io.entrepot.lab;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;

/** The cache of loaded and linked classes with which all children of a kind start quicker. Safe for use by many threads. */
public final class AotCache {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** What was trained by this process. */
    private static final Map<ChildSpec, ChildSpec> TRAINED = new HashMap<>();

    private AotCache() {}

    /**
     * Runs one child, gives it the commands and waits until it ends by itself. Children of the returned kind find what that
     * one loaded in a cache, which is gone when this process is. A kind is trained once in a process. As the JVM caches
     * only what comes from jars, directories on the class path are made jars first.
     */
    public static ChildSpec train(ChildSpec spec, List<String> commands) throws IOException, InterruptedException {
        synchronized (TRAINED) {
            ChildSpec trained = TRAINED.get(spec);
            if (trained == null) {
                trained = make(spec, commands);
                TRAINED.put(spec, trained);
            }
            return trained;
        }
    }

    private static ChildSpec make(ChildSpec plain, List<String> commands) throws IOException, InterruptedException {
        Path directory = LabDirectory.create(DiskOptions.memory()).path();
        ChildSpec spec = plain.withClassPath(jars(plain.classPath(), directory));
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

    /** The class path with a jar in the place of each directory. An empty entry, as at the end of some, stands for nothing. */
    private static String jars(String classPath, Path into) throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry).toAbsolutePath();
            if (entry.isEmpty()) {
                continue;
            }
            if (Files.isDirectory(path)) {
                entries.add(jar(path, into.resolve(entries.size() + ".jar")));
            } else if (Files.exists(path)) {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static String jar(Path directory, Path jar) throws IOException {
        int exit = ToolProvider.findFirst("jar").orElseThrow(() -> new IOException("this Java has no jar tool"))
                .run(System.out, System.err, "--create", "--no-compress", "--file", jar.toString(), "-C",
                        directory.toString(), ".");
        if (exit != 0) {
            throw new IOException("jar of " + directory + " ended with " + exit);
        }
        return jar.toString();
    }
}
