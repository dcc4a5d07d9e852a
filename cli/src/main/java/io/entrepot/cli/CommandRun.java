package io.entrepot.cli;

import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileInfo;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A command that runs for a file. Its lines go on to where ours go, whole; the last ones of its stderr are kept. One thread
 * waits for it, two others read what it writes.
 */
final class CommandRun {
    private static final int KEPT_LINES = 8;
    private static final int KEPT_WIDTH = 400;
    private static final Duration KILL_AFTER = Duration.ofSeconds(5);
    /** A grandchild may keep the pipe open for ever. */
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final Process process;
    private final Thread output;
    private final Thread errors;
    /** Guarded by itself. */
    private final Deque<String> lastErrors = new ArrayDeque<>();

    private CommandRun(Process process, Consumer<String> toOut, Consumer<String> toErr) {
        this.process = process;
        this.output = reader(process.getInputStream(), toOut);
        this.errors = reader(process.getErrorStream(), line -> {
            keep(line);
            toErr.accept(line);
        });
    }

    /** @throws IOException if it cannot be run at all */
    static CommandRun start(List<String> command, ClaimedFile claimed, Path path, Consumer<String> toOut,
            Consumer<String> toErr) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                command.stream().map(word -> word.replace("{}", path.toString())).toList());
        builder.redirectInput(new File("/dev/null"));
        describe(claimed, path, builder.environment());
        return new CommandRun(builder.start(), toOut, toErr);
    }

    private static void describe(ClaimedFile claimed, Path path, Map<String, String> environment) {
        FileInfo file = claimed.file();
        environment.put("ENTREPOT_FILE", path.toString());
        environment.put("ENTREPOT_KEY", file.key().toString());
        environment.put("ENTREPOT_TENANT", file.tenant().name());
        environment.put("ENTREPOT_NAME", file.name().orElse(""));
        environment.put("ENTREPOT_DIRECTORY", file.directory().path());
        environment.put("ENTREPOT_SIZE", Long.toString(file.size()));
        environment.put("ENTREPOT_SHA256", file.sha256().toString());
        environment.put("ENTREPOT_LABELS", JsonText.of(file.labels().all()));
        environment.put("ENTREPOT_ATTEMPT", Integer.toString(file.attempts() + 1));
        environment.put("ENTREPOT_LEASE", claimed.lease().toString());
    }

    /** Says whether it has ended by then. */
    boolean await(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** It and all it has started: asked to end first, made to after a while. */
    void end() throws InterruptedException {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
        all.forEach(ProcessHandle::destroy);
        if (!process.waitFor(KILL_AFTER.toMillis(), TimeUnit.MILLISECONDS)) {
            Stream.concat(process.descendants(), all.stream()).toList().forEach(ProcessHandle::destroyForcibly);
            process.waitFor();
        }
    }

    /** Of a command that has ended; all its lines have been passed on by then. */
    int exit() throws InterruptedException {
        output.join(DRAIN);
        errors.join(DRAIN);
        return process.exitValue();
    }

    List<String> lastErrors() {
        synchronized (lastErrors) {
            return new ArrayList<>(lastErrors);
        }
    }

    private void keep(String line) {
        synchronized (lastErrors) {
            lastErrors.addLast(TextWidth.cut(line, KEPT_WIDTH));
            if (lastErrors.size() > KEPT_LINES) {
                lastErrors.removeFirst();
            }
        }
    }

    private static Thread reader(InputStream in, Consumer<String> line) {
        return Thread.ofPlatform().daemon().name("output").start(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                    line.accept(text);
                }
            } catch (IOException e) {
                // The pipe is gone with the process.
            }
        });
    }
}
