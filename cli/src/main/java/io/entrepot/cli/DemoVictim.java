package io.entrepot.cli;

import io.entrepot.pool.FileLease;
import io.entrepot.pool.TenantId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code entrepot work} as a process of its own, which is to be killed. It does not outlive this process either. */
final class DemoVictim {
    private static final Pattern STARTED = Pattern
            .compile("\"event\":\"started\".*\"name\":\"([^\"]*)\".*\"lease\":\"([^\"]*)\"");

    private final Process process;
    private final Thread atExit;
    private final String file;
    private final FileLease lease;

    private DemoVictim(Process process, Thread atExit, String file, FileLease lease) {
        this.process = process;
        this.atExit = atExit;
        this.file = file;
        this.lease = lease;
    }

    /** Returns when it has claimed a file and works on it. */
    static DemoVictim start(Path data, TenantId tenant) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), Main.class.getName(), "work", "--json", "--data",
                data.toString(), "--tenant", tenant.name(), "--worker", "doomed", "--term", "2s", "--", "sleep", "600"))
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        Thread atExit = new Thread(() -> endAll(process), "demo-victim");
        Runtime.getRuntime().addShutdownHook(atExit);
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            Matcher started = STARTED.matcher(line == null ? "" : line);
            if (!started.find()) {
                throw new Failure("demo", "the worker did not start: "
                        + (line == null ? "exit code " + process.waitFor() : line));
            }
            return new DemoVictim(process, atExit, started.group(1), FileLease.parse(started.group(2)));
        } catch (IOException | RuntimeException e) {
            endAll(process);
            throw e;
        }
    }

    String file() {
        return file;
    }

    FileLease lease() {
        return lease;
    }

    /** With SIGKILL, as the kernel does to it when memory is short. */
    void kill() throws InterruptedException {
        endAll(process);
        process.waitFor();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // This process is ending, too.
        }
    }

    private static void endAll(Process process) {
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
