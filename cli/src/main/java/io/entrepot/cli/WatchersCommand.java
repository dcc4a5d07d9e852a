package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.cli.access.WatcherAccess;
import io.entrepot.lease.Ticker;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.watch.ParkedImport;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.pool.watch.WatcherStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Directories whose files are imported. */
@Command(name = "watchers", addMethodSubcommands = false,
        description = {"Import files from directories that others put them into.",
                "A watcher works while a process has the pool open: 'entrepot serve', 'entrepot pool run', 'entrepot work"
                        + " --wait'; 'scan' imports what is there now."})
final class WatchersCommand implements Callable<Integer> {
    private static final String ID = "The watcher's name.";
    private static final Duration FIRST_LOOK = Duration.ofSeconds(3);
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = {"All watchers, with what they have done.",
            "What they skip is known from a look that is taken meanwhile, if that is soon over."})
    int list(@Mixin OnPool on) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            Columns table = WatcherText.table();
            List<WatcherSpec> all = pool.watchers().list();
            awaitFirstLook(pool.watchers(), all);
            for (WatcherSpec watcher : all) {
                WatcherText text = new WatcherText(pool.watchers().status(watcher.id()));
                text.addTo(table);
                if (on.json) {
                    on.out().println(text.json());
                }
            }
            on.print(table);
        }
        return ExitCode.OK;
    }

    @Command(description = "All that is known of one.")
    int show(@Mixin OnPool on, @Parameters(paramLabel = "WATCHER", description = ID) String name)
            throws InterruptedException {
        WatcherId id = new WatcherId(name);
        try (PoolAccess pool = on.reachExisting()) {
            awaitFirstLook(pool.watchers(), List.of(pool.watchers().get(id)));
            WatcherText text = new WatcherText(pool.watchers().status(id));
            if (on.json) {
                on.out().println(text.json());
            } else {
                text.print(on.out());
            }
        }
        return ExitCode.OK;
    }

    /** So that there is something to be said of what lies there. */
    private static void awaitFirstLook(WatcherAccess watchers, List<WatcherSpec> all) throws InterruptedException {
        Ticker ticker = Ticker.system();
        long began = ticker.nanos();
        for (WatcherSpec watcher : all) {
            while (watcher.enabled() && ticker.nanos() - began < FIRST_LOOK.toNanos()
                    && !hasLooked(watchers.status(watcher.id()))) {
                Thread.sleep(LOOK);
            }
        }
    }

    private static boolean hasLooked(WatcherStatus status) {
        return status.lastScan().isPresent() || status.lastError().isPresent();
    }

    @Command(description = {"Import what comes into a directory, from now on.",
            "What is not said is as usual: a new file is looked at every 30 s and imported when it was seen unchanged for"
                    + " 5 s; then its source is deleted."})
    int add(@Mixin OnPool on, @Parameters(paramLabel = "WATCHER", description = "A name for it.") String name,
            @Parameters(paramLabel = "DIR", description = "Made if there is none.") Path directory,
            @Mixin WatcherOptions options,
            @Option(names = "--disabled", description = "Let it wait until it is enabled.") boolean disabled)
            throws InterruptedException {
        WatcherSpec wanted = options.on(WatcherSpec.ofTenant(name, TenantId.DEFAULT, directory)).withEnabled(!disabled);
        try (PoolAccess pool = on.reachQuietly()) {
            WatcherAccess.Added added = pool.watchers().add(placed(pool, wanted));
            on.answer("added  " + added.spec().id() + "  " + added.spec().path() + (added.made() ? "  (was made)" : ""),
                    WatcherText.json(added.spec()));
            on.say(WatcherText.whatBecomesOfFiles(added.spec()));
        }
        return ExitCode.OK;
    }

    /** Its directories, as the pool's machine knows them. */
    private static WatcherSpec placed(PoolAccess pool, WatcherSpec spec) {
        WatcherSpec placed = spec.withPath(pool.there(spec.path()));
        return placed.postImport() instanceof PostImport.Move(Path to)
                ? placed.withPostImport(new PostImport.Move(pool.there(to)))
                : placed;
    }

    @Command(description = "Change one; what is not said stays as it is. With another path it begins anew.")
    int set(@Mixin OnPool on, @Parameters(paramLabel = "WATCHER", description = ID) String name,
            @Mixin WatcherOptions options,
            @Option(names = "--path", paramLabel = "DIR", description = "Another directory.") @Nullable Path directory)
            throws InterruptedException {
        WatcherId id = new WatcherId(name);
        try (PoolAccess pool = on.reachExistingQuietly()) {
            WatcherSpec now = pool.watchers().get(id);
            WatcherSpec wanted = options.on(directory == null ? now : now.withPath(directory));
            WatcherSpec changed = pool.watchers().update(placed(pool, wanted));
            on.answer("set  " + changed.id() + "  " + changed.path(), WatcherText.json(changed));
        }
        return ExitCode.OK;
    }

    @Command(description = "Let one work again.")
    int enable(@Mixin OnPool on, @Parameters(paramLabel = "WATCHER", description = ID) String name)
            throws InterruptedException {
        try (PoolAccess pool = on.reachExistingQuietly()) {
            on.answer("enabled  " + name, WatcherText.json(pool.watchers().setEnabled(new WatcherId(name), true)));
        }
        return ExitCode.OK;
    }

    @Command(description = "Let one import nothing by itself; scan still works.")
    int disable(@Mixin OnPool on, @Parameters(paramLabel = "WATCHER", description = ID) String name)
            throws InterruptedException {
        try (PoolAccess pool = on.reachExistingQuietly()) {
            on.answer("disabled  " + name, WatcherText.json(pool.watchers().setEnabled(new WatcherId(name), false)));
        }
        return ExitCode.OK;
    }

    @Command(description = {"End one. Its directory stays as it is.",
            "What it has imported and kept is known for a day: added again within that time, it does not import it again."})
    int remove(@Mixin OnPool on, @Parameters(paramLabel = "WATCHER", description = ID) String name)
            throws InterruptedException {
        try (PoolAccess pool = on.reachExistingQuietly()) {
            pool.watchers().remove(new WatcherId(name));
            on.answer("removed  " + name, new JsonObject().with("watcher", name).with("removed", true));
        }
        return ExitCode.OK;
    }

    @Command(description = {"Import the files that are there now; prints a key for each.",
            "A file must have been seen unchanged for the watcher's --min-age, so this takes at least that long. It ends when"
                    + " all is imported, or nothing more has become complete for that time; Ctrl-C ends it before.",
            "Exit code 1 if a file could not be imported, now or before."})
    int scan(@Mixin OnPool on, @Parameters(paramLabel = "WATCHER", arity = "0..*",
            description = "Which (default: all that are enabled).") @Nullable List<String> names,
            @Option(names = "--wait", paramLabel = "DURATION",
                    description = "So long for files that are not complete; 0s takes a single look.") @Nullable String wait)
            throws InterruptedException {
        Optional<Duration> patience = Optional.ofNullable(wait).map(Durations::parse);
        CountDownLatch stop = new CountDownLatch(1);
        List<WatcherId> ids = new ArrayList<>();
        boolean allWell = true;
        AtomicReference<Runnable> breakOff = new AtomicReference<>(() -> {});
        try (LastWords _ = new LastWords(() -> {
            stop.countDown();
            Objects.requireNonNull(breakOff.get()).run();
        }, PATIENCE); PoolAccess pool = on.reachExistingQuietly()) {
            if (names == null || names.isEmpty()) {
                pool.watchers().list().stream().filter(WatcherSpec::enabled).forEach(one -> ids.add(one.id()));
            } else {
                names.forEach(name -> ids.add(pool.watchers().get(new WatcherId(name)).id()));
            }
            if (ids.isEmpty()) {
                on.say("there is no watcher; add one with 'entrepot pool watchers add'");
            }
            for (WatcherId id : ids) {
                breakOff.set(() -> stopScan(pool, id, on));
                allWell &= stop.getCount() == 0 || new WatcherScan(pool, id, on, stop).run(patience);
            }
        }
        return allWell ? ExitCode.OK : ExitCode.FAILED;
    }

    private static void stopScan(PoolAccess pool, WatcherId id, OnPool on) {
        try {
            pool.watchers().stopScan(id);
        } catch (PoolException e) { // the thread has nobody to tell it to
            on.say("it was not stopped: " + e.getMessage());
        }
    }

    @Command(description = "What has failed too often, and waits for somebody.")
    int parked(@Mixin OnPool on, @Parameters(paramLabel = "WATCHER", description = ID) String name)
            throws InterruptedException {
        try (PoolAccess pool = on.reachExistingQuietly()) {
            Columns table = new Columns("PATH", "TENANT", "SIZE", "ATTEMPTS", "LAST", "ERROR").right(2, 3);
            for (ParkedImport one : pool.watchers().parked(new WatcherId(name))) {
                table.row(one.path(), one.tenant(), Sizes.of(one.size()), one.attempts(), Times.of(one.at()),
                        one.error());
                if (on.json) {
                    on.out().println(new JsonObject().with("path", one.path()).with("tenant", one.tenant())
                            .with("size", one.size()).with("attempts", one.attempts()).with("at", one.at())
                            .with("error", one.error()));
                }
            }
            on.print(table);
        }
        return ExitCode.OK;
    }

    @Command(description = {"Have parked files tried again, at the next look.",
            "Exit code 1 if there is none of that path."})
    int retry(@Mixin OnPool on, @Parameters(paramLabel = "WATCHER", description = ID) String name,
            @Parameters(paramLabel = "PATH", arity = "0..1",
                    description = "As parked prints it.") @Nullable String path,
            @Option(names = "--all", description = "All that are parked.") boolean all) throws InterruptedException {
        if (all == (path != null)) {
            throw new Failure("usage", "name a path, or --all", ExitCode.USAGE);
        }
        WatcherId id = new WatcherId(name);
        try (PoolAccess pool = on.reachExistingQuietly()) {
            int files = path == null ? pool.watchers().retryAll(id) : pool.watchers().retry(id, path) ? 1 : 0;
            if (path != null && files == 0) {
                throw new Failure("watchers.not-parked", "watcher " + id + " has no parked file " + path);
            }
            on.answer(files + (files == 1 ? " file is" : " files are") + " tried again at the next look",
                    new JsonObject().with("watcher", id).with("files", files));
        }
        return ExitCode.OK;
    }
}
