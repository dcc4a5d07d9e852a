package io.entrepot.bench.scan;

import io.entrepot.lab.Command;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another program that goes through a tree. */
record Rival(String name, List<String> command) {

    /** One that is there, on the {@code PATH}, in a form that answers. */
    static boolean isThere(String program, String... arguments) {
        try {
            List<String> command = new ArrayList<>(List.of(program));
            command.addAll(List.of(arguments));
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static Rival find(FileTree tree) {
        return new Rival("find", List.of("find", tree.root().toString(), "-printf", "%s %T@ %p\\n"));
    }

    /** Compiles the program that is in our resources. */
    static Rival statx(FileTree tree, Path directory, int threads) throws IOException {
        Path source = directory.resolve("c-statx.c");
        try (InputStream in = Rival.class.getResourceAsStream("c-statx.c")) {
            if (in == null) {
                throw new IOException("c-statx.c is not in the jar");
            }
            Files.write(source, in.readAllBytes());
        }
        Path program = directory.resolve("c-statx");
        Command.check(directory,
                List.of("cc", "-O2", "-pthread", "-o", program.toString(), source.toString()));
        return new Rival("c-statx", List.of(program.toString(), tree.root().toString(), "" + threads));
    }

    /** Seconds for all of it, from its start to its end; its output goes nowhere. */
    double measure() throws IOException, InterruptedException {
        long begin = System.nanoTime();
        run(ProcessBuilder.Redirect.DISCARD);
        return (System.nanoTime() - begin) / 1e9;
    }

    /** The seconds that it says it took: {@code files nanoseconds}. */
    double measureByItself(long files) throws IOException, InterruptedException {
        String[] words = run(ProcessBuilder.Redirect.PIPE).strip().split(" ", -1);
        if (words.length != 2 || Long.parseLong(words[0]) != files) {
            throw new IOException(name + " did not see all: " + String.join(" ", words));
        }
        return Long.parseLong(words[1]) / 1e9;
    }

    private String run(ProcessBuilder.Redirect output) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(output)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException(name + " ended with " + process.exitValue());
            }
            return text;
        } finally {
            process.destroyForcibly();
        }
    }
}
