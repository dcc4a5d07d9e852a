package io.entrepot.bench.scan;

import io.entrepot.bench.peers.Program;
import io.entrepot.lab.ChildServer;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Notification;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A watchman server of our own, which shares nothing with one that the person may run. A child in the foreground, gone when
 * closed; clients may not start another. Use from one thread.
 */
final class Watchman implements AutoCloseable {

    static final String NAME = "watchman";

    /** What fits into the address of a socket, with the end that C wants. */
    private static final int LONGEST_SOCKET = 107;

    private final Program program;
    private final List<String> files;
    private final ChildServer<UnixDomainSocketAddress> server;

    private Watchman(Program program, List<String> files, ChildServer<UnixDomainSocketAddress> server) {
        this.program = program;
        this.files = files;
        this.server = server;
    }

    /** Why it cannot watch so many directories here, if it cannot. */
    static Optional<String> obstacle(int directories) throws IOException {
        Optional<Notification> notification = FileCalls.system().notification();
        if (notification.isEmpty()) {
            return Optional.of("there is no inotify on this system");
        }
        int most = notification.get().limits().watches();
        return most > directories + 1
                ? Optional.empty()
                : Optional.of("fs.inotify.max_user_watches is " + most + ", too small for " + directories
                        + " directories");
    }

    /** Starts it with everything of its own in that directory. */
    static Watchman start(Path directory, Program program) throws IOException {
        Path own = Files.createDirectories(directory.resolve(NAME)).toAbsolutePath();
        Path socket = own.resolve("s");
        if (socket.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_SOCKET) {
            throw new IOException("too long for a socket: " + socket);
        }
        Files.deleteIfExists(socket);
        List<String> files = List.of("--sockname=" + socket, "--statefile=" + own.resolve("state"),
                "--logfile=" + own.resolve("log"), "--pidfile=" + own.resolve("pid"));
        List<String> command = new ArrayList<>(List.of(program.file().toString(), "--foreground", "--no-save-state"));
        command.addAll(files);
        return new Watchman(program, files, ChildServer.start(command, program.environment(),
                UnixDomainSocketAddress.of(socket), own.resolve("output")));
    }

    /** Seconds until it has gone through the tree for the first time. */
    double watch(Path tree) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        WatchmanAnswer answer = ask(List.of("watch", tree.toString()), "");
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (answer.watched().isEmpty()) {
            throw new IOException("watchman does not watch " + tree);
        }
        return seconds;
    }

    /** How many files of the tree it knows with size and time, without looking again. */
    long files(Path tree) throws IOException, InterruptedException {
        return ask(List.of("--json-command"),
                """
                ["query", "%s", {"expression": ["type", "f"],
                "fields": ["name", "size", "mtime"], "sync_timeout": 0}]
                """.formatted(tree.toString().replace("\\", "\\\\").replace("\"", "\\\"")))
                .files();
    }

    private WatchmanAnswer ask(List<String> words, String input) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.file().toString(), "--no-spawn", "--no-local"));
        command.addAll(files);
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(program.environment());
        Process process = builder.start();
        try {
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            WatchmanAnswer answer = WatchmanAnswer
                    .read(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            if (answer.error().isPresent()) {
                throw new IOException("watchman refused: " + answer.error().get());
            }
            if (process.waitFor() != 0) {
                throw new IOException("watchman ended with " + process.exitValue());
            }
            return answer;
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
