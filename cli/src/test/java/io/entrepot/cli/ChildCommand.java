package io.entrepot.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code entrepot} as a process of its own, for what depends on that: signals, exit codes, bytes on standard output. */
record ChildCommand(Process process, Path out, Path err) {
    private static final long PATIENCE_SECONDS = 60;

    static ChildCommand start(Path directory, String... args) throws IOException {
        return start(directory, Map.of(), args);
    }

    static ChildCommand start(Path directory, Map<String, String> environment, String... args) throws IOException {
        return start(directory, environment, List.of(), args);
    }

    /** One that hears SIGHUP, also where whoever runs the tests ignores it, which children inherit. */
    static ChildCommand startHearingHangups(Path directory, Map<String, String> environment, String... args)
            throws IOException {
        return start(directory, environment, List.of("env", "--default-signal=HUP"), args);
    }

    private static ChildCommand start(Path directory, Map<String, String> environment, List<String> by, String... args)
            throws IOException {
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(args));
        Path out = Files.createTempFile(directory, "child", ".out");
        Path err = Files.createTempFile(directory, "child", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(directory.resolve("in").toFile()));
        builder.environment().putAll(environment);
        return new ChildCommand(builder.start(), out, err);
    }

    int exit() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("it did not end");
        }
        return process.exitValue();
    }

    String errText() throws IOException {
        return Files.readString(err, StandardCharsets.UTF_8);
    }
}
