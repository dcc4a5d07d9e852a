package io.entrepot.store.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM with the class path of this one, that says what it does in lines and can be killed. */
public final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;

    private Child(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    public static Child start(Class<?> main, Object... args) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-cp",
                        System.getProperty("java.class.path"), main.getName()));
        for (Object arg : args) {
            command.add(arg.toString());
        }
        try {
            return new Child(new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** The next line it says. */
    public String line() {
        try {
            String line = lines.readLine();
            if (line == null) {
                throw new IllegalStateException("the child has ended");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL; returns when it is dead, with the whole lines that it has said and nobody has read. */
    public List<String> kill() {
        process.toHandle().destroyForcibly(); // the process itself would close its streams
        List<String> rest = new ArrayList<>();
        try {
            StringBuilder text = new StringBuilder();
            for (int c = lines.read(); c >= 0; c = lines.read()) {
                if (c == '\n') {
                    rest.add(text.toString());
                    text.setLength(0);
                } else {
                    text.append((char) c);
                }
            }
            process.waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return rest;
    }

    @Override
    public void close() {
        kill();
    }
}
