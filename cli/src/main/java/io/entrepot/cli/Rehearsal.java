package io.entrepot.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

import org.slf4j.LoggerFactory;

/**
 * The launcher runs this once after each build and keeps what the JVM learned from it (an AOT cache), so that commands
 * start quickly. A new command should be rehearsed here: what is not, starts more slowly, and nothing else.
 */
final class Rehearsal {

    private Rehearsal() {}

    public static void main(String[] args) throws IOException {
        var nowhere = new PrintWriter(Writer.nullWriter());
        var main = new Main(nowhere, nowhere, false, Commands.all());
        main.run("--help");
        main.run("help", "bench");
        main.run("no-such-command");
        rehearsePool(main);
        main.run("queue", "status", "nobody", "--data", "no-such-directory");
        main.run("store", "check", "--data", "no-such-directory");
        main.run("scan", ".", "--depth", "1", "--list");
        main.run("watch", ".", "--limit", "1", "--for", "1ms");
        LoggerFactory.getLogger(Rehearsal.class).debug("logging is set up by the first logger");
        // Last, as it ends the process: the way in and out of a real command.
        Main.main(new String[]{"--version"});
    }

    private static void rehearsePool(Main main) throws IOException {
        Path directory = Files.createTempDirectory("entrepot-rehearsal");
        String[] data = {"--data", directory.resolve("data").toString()};
        Path file = Files.writeString(directory.resolve("file.txt"), "text");
        main.run("pool", "put", file.toString(), data[0], data[1]);
        main.run("pool", "tenants", "list", data[0], data[1]);
        main.run("pool", "volumes", "list", data[0], data[1]);
        main.run("pool", "ls", "--json", data[0], data[1]);
        main.run("pool", "events", data[0], data[1]);
        main.run("work", data[0], data[1], "--", "true", "{}");
        main.run("pool", "ls", data[0], data[1]);
        main.run("pool", "claim", data[0], data[1]);
        Path inbox = Files.createDirectory(directory.resolve("inbox"));
        main.run("pool", "watchers", "add", "inbox", inbox.toString(), "--min-age", "1ms", data[0], data[1]);
        Files.writeString(inbox.resolve("file.txt"), "text");
        main.run("pool", "watchers", "scan", data[0], data[1]);
        main.run("pool", "cleanup", "--dry-run", data[0], data[1]);
        main.run("pool", "check", "--deep", data[0], data[1]);
        main.run("tail", "--after=", "--max", "1", data[0], data[1]);
        main.run("top", "--once", "--every", "100ms", data[0], data[1]);
        main.run("serve", "--port", "0", "--for", "1s", data[0], data[1]);
        main.run("pool", "backup", directory.resolve("backup").toString(), data[0], data[1]);
        Trees.delete(directory);
    }
}
