package io.entrepot.cli;

import java.io.PrintWriter;
import java.io.Writer;

import org.slf4j.LoggerFactory;

/**
 * The launcher runs this once after each build and keeps what the JVM learned from it (an AOT cache), so that commands
 * start quickly. A new command should be rehearsed here: what is not, starts more slowly, and nothing else.
 */
final class Rehearsal {

    private Rehearsal() {}

    public static void main(String[] args) {
        var nowhere = new PrintWriter(Writer.nullWriter());
        var main = new Main(nowhere, nowhere, false, Commands.all());
        main.run("--help");
        main.run("help", "bench");
        main.run("no-such-command");
        main.run("demo");
        main.run("queue", "status", "nobody", "--data", "no-such-directory");
        main.run("store", "check", "--data", "no-such-directory");
        main.run("scan", ".", "--depth", "1", "--list");
        main.run("watch", ".", "--limit", "1", "--for", "1ms");
        LoggerFactory.getLogger(Rehearsal.class).debug("logging is set up by the first logger");
        // Last, as it ends the process: the way in and out of a real command.
        Main.main(new String[]{"--version"});
    }
}
