package io.entrepot.cli;

import io.entrepot.store.CompactionReport;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Care for a data directory: check it, back it up, bring it back, make it smaller. */
@Command(name = "store", addMethodSubcommands = false,
        description = "Check, back up, restore and compact a data directory.")
final class StoreCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = "Read everything and report what is damaged. Exit code 1 if something is.")
    int check(@Mixin DataOption data) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            List<String> problems = new ArrayList<>();
            stores(open).forEach((name, store) -> {
                progress("checking " + name);
                store.check().problems().forEach(problem -> problems.add(name + ": " + problem));
            });
            problems.addAll(open.queues().check());
            problems.forEach(out()::println);
            out().println(problems.isEmpty()
                    ? "sound, incarnation " + open.data().main().incarnation()
                    : problems.size() + " problems");
            return problems.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    @Command(description = "Write a consistent copy into a new directory.")
    int backup(@Mixin DataOption data,
            @Parameters(paramLabel = "TARGET", description = "A new directory.") Path target) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            progress("backing up to " + target);
            open.data().backup(target);
            out().println("backed up to " + target);
        }
        return ExitCode.OK;
    }

    @Command(description = {"Make a new data directory from a backup.",
            "It is a new incarnation: leases from before are no longer valid, and work done since the backup is not known."})
    int restore(@Mixin DataOption data,
            @Parameters(paramLabel = "BACKUP", description = "The backup's directory.") Path backup) {
        Reach.requireNoServer(data.directory(), "a restore makes a new directory: name another one with --data");
        progress("restoring " + backup);
        DataDirectory.restore(backup, data.directory(), OpenQueues.CONFIG);
        out().println("restored to " + data.directory());
        return ExitCode.OK;
    }

    @Command(description = "Give unused space back to the file system.")
    int compact(@Mixin DataOption data) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            Columns table = new Columns("DATABASE", "BYTES BEFORE", "AFTER", "RECLAIMED", "LONGEST STEP");
            stores(open).forEach((name, store) -> {
                progress("compacting " + name);
                CompactionReport report = store.compact();
                table.row(name, report.before(), report.after(), report.reclaimed(),
                        report.longestStep().toMillis() + " ms");
            });
            table.print(out());
        }
        return ExitCode.OK;
    }

    private static Map<String, Store> stores(OpenQueues open) {
        Map<String, Store> stores = new LinkedHashMap<>();
        stores.put("main", open.data().main());
        for (Owner owner : open.data().sharded()) {
            stores.put("shard " + owner, open.data().store(owner));
        }
        return stores;
    }

    private void progress(String what) {
        spec.commandLine().getErr().println(what + " …");
        spec.commandLine().getErr().flush();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
