package io.entrepot.lab;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How to start a child JVM: on the Java, class path and flags of this process, with a collector and compiler that start
 * quickly, because most children live for less than a second. Immutable.
 *
 * @param main class with a main method that speaks through {@link Parent}
 * @param flags further JVM flags; they win over all others
 * @param arguments of the main method
 * @param classPath this process's own unless told otherwise
 * @param aotCache a cache made by {@link AotCache} for the same class path
 */
public record ChildSpec(String main, List<String> flags, List<String> arguments, String classPath,
        Optional<Path> aotCache) {

    private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            "-XX:-UsePerfData");

    /** Flags of this process that mean something in a child too; not its debugger, its collector or its caches. */
    private static final List<String> INHERITED = List.of("--enable-native-access", "--add-opens", "--add-exports",
            "--add-modules", "--sun-misc-unsafe-memory-access", "-ea", "-da", "-enableassertions", "-Djava.io.tmpdir",
            "-Dentrepot.", "-Dfile.encoding", "-Duser.");

    public ChildSpec {
        flags = List.copyOf(flags);
        arguments = List.copyOf(arguments);
    }

    public static ChildSpec of(Class<?> main, String... arguments) {
        return new ChildSpec(main.getName(), List.of(), List.of(arguments),
                System.getProperty("java.class.path"), Optional.empty());
    }

    public ChildSpec withFlags(String... more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        return new ChildSpec(main, all, arguments, classPath, aotCache);
    }

    public ChildSpec withClassPath(String newClassPath) {
        return new ChildSpec(main, flags, arguments, newClassPath, Optional.empty());
    }

    public ChildSpec withAotCache(Path cache) {
        return new ChildSpec(main, flags, arguments, classPath, Optional.of(cache));
    }

    List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (INHERITED.stream().anyMatch(flag::startsWith)) {
                command.add(flag);
            }
        }
        command.addAll(QUICK);
        aotCache.ifPresent(cache -> command.add("-XX:AOTCache=" + cache));
        command.addAll(flags);
        command.add("-cp");
        command.add(classPath);
        command.add(main);
        command.addAll(arguments);
        return command;
    }
}
