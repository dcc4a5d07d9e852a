package io.entrepot.cli;

import io.entrepot.cli.access.LongWork;
import io.entrepot.cli.access.PoolAccess;
import io.entrepot.pool.Location;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeLoss;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The directories that hold the files. */
@Command(name = "volumes", addMethodSubcommands = false,
        description = "Mount, drain and unmount the directories that hold the files.")
final class VolumesCommand implements Callable<Integer> {
    private static final String UNDESCRIBED = "its file system has no extended attributes: if the database is lost,"
            + " names, labels and checksums of its files are lost too";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = "All volumes, with how they are and what they hold.")
    int list(@Mixin OnPool on) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            print(on, pool.volumes().list());
        }
        return ExitCode.OK;
    }

    @Command(
            description = "Take a directory, or another place that a backend was brought for, as a volume, from now on.")
    int mount(@Mixin OnPool on, @Parameters(paramLabel = "VOLUME", description = "A name for it.") String name,
            @Parameters(paramLabel = "PLACE",
                    description = "A directory, made if there is none, or SCHEME:PLACE where a backend was brought.") String place,
            @Option(names = "--depth", paramLabel = "N", defaultValue = "2",
                    description = "Directories between a tenant's and its files, 0 to 3"
                            + " (default: ${DEFAULT-VALUE}).") int depth,
            @Option(names = "--headroom", paramLabel = "SIZE", defaultValue = "64MiB",
                    description = "So much stays free (default: ${DEFAULT-VALUE}).") String headroom,
            @Option(names = "--spare", description = "Use it only when no other has room.") boolean spare)
            throws InterruptedException {
        long free = Sizes.parse(headroom);
        try (PoolAccess pool = on.reach()) {
            print(on, List.of(pool.volumes().mount(new VolumeSpec(name, there(pool, place), depth, free, spare))));
        }
        return ExitCode.OK;
    }

    private static Location there(PoolAccess pool, String place) {
        Location typed = Location.parse(place);
        return typed.directory().map(directory -> Location.of(pool.there(directory))).orElse(typed);
    }

    @Command(description = "Forget a volume that has no files; what else is on it stays there.")
    int unmount(@Mixin OnPool on, @Parameters(paramLabel = "VOLUME") String name) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            pool.volumes().unmount(name);
            on.answer("unmounted  " + name, new JsonObject().with("volume", name).with("unmounted", true));
        }
        return ExitCode.OK;
    }

    @Command(name = "read-only",
            description = "Put no more files on a volume; it keeps and gives those it has. Gives up a drain.")
    int readOnly(@Mixin OnPool on, @Parameters(paramLabel = "VOLUME") String name) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            print(on, List.of(pool.volumes().setReadOnly(name)));
        }
        return ExitCode.OK;
    }

    @Command(description = {"Move all files of a volume to the others, and wait until that is done.",
            "Others may use the pool meanwhile; it waits for files that are being processed and for uploads, and says so.",
            "Ctrl-C and --timeout end the waiting: the volume goes on being drained whenever the pool is open. 'activate',"
                    + " 'read-only' and 'spare' give it up. Exit code 1 if files are left that cannot be moved, 7 after the timeout."})
    int drain(@Mixin OnPool on, @Parameters(paramLabel = "VOLUME") String name,
            @Option(names = "--timeout", paramLabel = "DURATION",
                    description = "Wait so long at most (default: until it is empty).") @Nullable String timeout)
            throws InterruptedException {
        Optional<Duration> longest = Optional.ofNullable(timeout).map(Durations::parse);
        try (JobWait wait = new JobWait(on); PoolAccess pool = on.reachExisting()) {
            RunReport report = wait.forEnd(pool.volumes().drain(name), longest);
            VolumeInfo volume = pool.volumes().get(name);
            if (report.state() == JobState.FAILED) {
                throw new Failure("volumes.not-drained", report.error().orElse("unknown") + "; " + volume.files()
                        + " files are left on " + name
                        + ", which takes no others until 'entrepot pool volumes activate "
                        + name + "'");
            }
            boolean ended = report.state() == JobState.DONE;
            on.answer(ended
                    ? report.result().orElse(Words.of(report.state()))
                    : volume.files() + " files are left on " + name + ", which is drained further whenever the pool is"
                            + " open; 'pool volumes activate " + name + "' gives it up",
                    json(volume).with("drained", ended && volume.files() == 0).with("result", report.result()));
            if (!ended && wait.isTimedOut()) {
                return ExitCode.UNAVAILABLE;
            }
            return ended && volume.files() == 0 ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    @Command(name = "give-up", description = {
            "Give up a volume that is lost for good: take its files out of the books, and unmount it.",
            "Only one that has failed. Small files that the database still has are put onto the other volumes; files that are"
                    + " being processed are waited for. Ctrl-C stops it: what is given up by then stays so. Exit code 1 if it"
                    + " did not come to its end."})
    int giveUp(@Mixin OnPool on, @Parameters(paramLabel = "VOLUME") String name,
            @Option(names = "--dry-run", description = "Only say how many files are lost, and whose.") boolean dryRun,
            @Option(names = "--yes", description = "Do it. It cannot be taken back.") boolean yes)
            throws InterruptedException {
        if (dryRun == yes) {
            throw new Failure("usage", "what is given up is gone: look what that is by --dry-run, and do it by --yes",
                    ExitCode.USAGE);
        }
        try (JobWait wait = new JobWait(on); PoolAccess pool = on.reachExisting()) {
            LongWork<VolumeLoss> work = pool.volumes().giveUp(name, dryRun);
            RunReport ended = wait.forEnd(work);
            told(on, work.result(), ended);
            return ended.state() == JobState.DONE && work.result().problems().isEmpty()
                    ? ExitCode.OK
                    : ExitCode.FAILED;
        }
    }

    private static void told(OnPool on, VolumeLoss loss, RunReport ended) {
        if (on.json) {
            on.out().println(new JsonObject().with("volume", loss.volume()).with("dryRun", loss.dryRun())
                    .with("state", ended.state()).with("files", loss.files()).with("bytes", loss.bytes())
                    .with("tenants", loss.tenants().stream().map(one -> new JsonObject().with("tenant", one.tenant())
                            .with("files", one.files()).with("bytes", one.bytes()).fields()).toList())
                    .with("saved", loss.saved()).with("uploads", loss.uploads()).with("unmounted", loss.unmounted())
                    .with("problems", loss.problems()).with("error", ended.error()));
        } else {
            Columns table = new Columns("TENANT", loss.dryRun() ? "WOULD BE LOST" : "LOST", "").right(1, 2);
            loss.tenants().forEach(one -> table.row(one.tenant(), one.files(), Sizes.of(one.bytes())));
            table.print(on.out());
        }
        on.say(loss.files() + " files, " + Sizes.of(loss.bytes()) + (loss.dryRun() ? " would be lost; " : " lost; ")
                + loss.saved() + " files saved, " + loss.uploads() + " uploads dropped"
                + (loss.unmounted() ? "; " + loss.volume() + " is unmounted" : ""));
        loss.problems().forEach(problem -> on.say("not looked at: " + problem));
        ended.error().ifPresent(error -> on.say("not done: " + error));
        if (ended.state() == JobState.CANCELLED) {
            on.say("stopped before its end");
        }
    }

    @Command(description = "Put files on a volume again, or on a spare one; gives up a drain.")
    int activate(@Mixin OnPool on, @Parameters(paramLabel = "VOLUME") String name) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            print(on, List.of(pool.volumes().activate(name)));
        }
        return ExitCode.OK;
    }

    @Command(
            description = "Put files on a volume only when no other has room for them; it keeps and gives those it has.")
    int spare(@Mixin OnPool on, @Parameters(paramLabel = "VOLUME") String name) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            print(on, List.of(pool.volumes().setSpare(name)));
        }
        return ExitCode.OK;
    }

    @Command(description = "Change how much of a volume stays free, from now on.")
    int set(@Mixin OnPool on, @Parameters(paramLabel = "VOLUME") String name,
            @Option(names = "--headroom", paramLabel = "SIZE", required = true,
                    description = "So much stays free, as 1GiB.") String headroom)
            throws InterruptedException {
        long free = Sizes.parse(headroom);
        try (PoolAccess pool = on.reachExisting()) {
            print(on, List.of(pool.volumes().setHeadroom(name, free)));
        }
        return ExitCode.OK;
    }

    @Command(description = "Try every volume now. Exit code 1 if one does not work.")
    int probe(@Mixin OnPool on) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            List<VolumeInfo> volumes = pool.volumes().probe();
            print(on, volumes);
            return volumes.stream().allMatch(volume -> volume.problem().isEmpty()) ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private static void print(OnPool on, List<VolumeInfo> volumes) {
        on.print(table(volumes));
        if (on.json) {
            volumes.forEach(volume -> on.out().println(json(volume)));
        }
    }

    static Columns table(List<VolumeInfo> volumes) {
        Columns table = new Columns("VOLUME", "STATE", "HEALTH", "FILES", "AVAILABLE", "TOTAL", "PATH").right(3, 4, 5);
        for (VolumeInfo volume : volumes) {
            table.row(volume.name(), Words.of(volume.state()), Words.of(volume.health()), volume.files(),
                    Sizes.of(Math.max(0, volume.available())), Sizes.of(volume.total()),
                    volume.location() + note(volume).map(note -> "  (" + note + ")").orElse(""));
        }
        return table;
    }

    /** What is wrong with it; if nothing is, what it cannot do. One that never worked has not said what it can. */
    private static Optional<String> note(VolumeInfo volume) {
        return volume.problem().or(() -> volume.described() ? Optional.empty() : Optional.of(UNDESCRIBED));
    }

    private static JsonObject json(VolumeInfo volume) {
        return new JsonObject().with("volume", volume.name()).with("path", volume.location().toString())
                .with("state", volume.state()).with("health", volume.health()).with("problem", volume.problem())
                .with("total", volume.total()).with("free", volume.free()).with("inFlight", volume.inFlight())
                .with("headroom", volume.headroom()).with("available", volume.available())
                .with("files", volume.files()).with("depth", volume.depth()).with("described", volume.described())
                .with("mounted", volume.mounted());
    }
}
