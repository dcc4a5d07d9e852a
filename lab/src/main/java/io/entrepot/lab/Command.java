package io.entrepot.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One external command, run to its end. No state of its own, so safe for use by many threads. */
public final class Command {

    private static final long LIMIT_SECONDS = 60;

    /** How it ended, and what it printed on either stream. */
    record Outcome(int exit, String output) {

        boolean ok() {
            return exit == 0;
        }
    }

    private Command() {}

    /** Runs it; an exit code other than zero is an outcome, not an exception. */
    static Outcome run(String... words) throws IOException {
        return run(Path.of(""), List.of(words));
    }

    private static Outcome run(Path directory, List<String> words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toAbsolutePath().toFile())
                .redirectErrorStream(true);
        // mkfs and losetup live in sbin, which the path of an ordinary login may lack.
        builder.environment().merge("PATH", "/usr/sbin:/sbin:/usr/bin:/bin", (path, more) -> path + ":" + more);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("no end after " + LIMIT_SECONDS + " s: " + String.join(" ", words));
            }
            return new Outcome(process.exitValue(), output.strip());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while running " + words.getFirst(), e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs it and returns its output; an exit code other than zero is an exception that carries the output. */
    static String check(String... words) throws IOException {
        return check(Path.of(""), List.of(words));
    }

    /** The same with the directory as its working directory. */
    public static String check(Path directory, List<String> words) throws IOException {
        Outcome outcome = run(directory, words);
        if (!outcome.ok()) {
            throw new IOException(
                    String.join(" ", words) + " failed with " + outcome.exit() + ": " + outcome.output());
        }
        return outcome.output();
    }
}
