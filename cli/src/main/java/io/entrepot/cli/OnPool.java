package io.entrepot.cli;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.Pool;
import io.entrepot.store.DataDirectory;
import java.io.PrintWriter;
import java.nio.file.Files;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every command on a pool has: where the pool is, and how to answer. */
final class OnPool {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    DataOption data;

    @Option(names = "--json", description = "Answer in JSON, an object on each line.")
    boolean json;

    /** Made if there is none. */
    Pool open() throws InterruptedException {
        return Pool.open(data.directory);
    }

    /** For commands that make no sense on a directory that is not there: a typing error must not make a new one. */
    Pool openExisting() throws InterruptedException {
        if (!Files.exists(data.directory.resolve(DataDirectory.MAIN))) {
            throw new Failure("no-data",
                    data.directory + " is not a data directory; name one with --data, or put a file first");
        }
        return open();
    }

    void answer(String text, JsonObject object) {
        out().println(json ? object : text);
    }

    /** A table for people, or nothing if the answer is JSON. */
    void print(Columns table) {
        if (!json) {
            table.print(out());
        }
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    static FileKey key(String text) {
        return FileKey.parse(text);
    }
}
