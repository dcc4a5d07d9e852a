package io.entrepot.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Tells in a few seconds what the pool promises, with a real one that is gone afterwards. */
@Command(name = "demo", description = "See it work: a few seconds, in a temporary directory.")
final class DemoCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Thread caller = Thread.currentThread();
        try (LastWords _ = new LastWords(caller::interrupt)) {
            Path directory = Files.createTempDirectory("entrepot-demo");
            try {
                new DemoStory(directory, this::say).tell();
            } finally {
                Trees.delete(directory);
            }
        } catch (InterruptedException e) {
            return ExitCode.FAILED; // somebody has seen enough
        }
        say("");
        say("Whatever was answered above was on disk before. Try it yourself: ./entrepot pool --help");
        return ExitCode.OK;
    }

    /** By one thread at a time. */
    private synchronized void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
