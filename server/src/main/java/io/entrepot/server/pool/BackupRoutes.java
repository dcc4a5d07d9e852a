package io.entrepot.server.pool;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Pool;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.job.JobResult;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Given;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Copies of the database, in the directory of the server's machine that the configuration names, or another one there. */
public final class BackupRoutes {
    private record Backup(String name, Path path, Instant made) {}

    private static final Answer<Backup> BACKUP = Answer.<Backup>named("Backup")
            .with("name", Type.TEXT, "What it was called.", Backup::name)
            .with("path", Type.TEXT, "Where it is, on the server's machine.", Backup::path)
            .with("made", Type.TIME, "When it was made.", Backup::made);
    private static final Answer<List<Backup>> BACKUPS = BACKUP.listed("Backups", "backups");
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Input<String> NAME = Input.of("name", Type.TEXT, "What it is to be called: 1 to 100 of A-Z a-z"
            + " 0-9 . _ -.", text -> {
                if (!ALLOWED.matcher(text).matches()) {
                    throw new IllegalArgumentException("has 1 to 100 of A-Z a-z 0-9 . _ -, starting with a letter or"
                            + " digit");
                }
                return text;
            });
    private static final Input<Path> PATH = Inputs.path("path",
            "Instead of a name: a directory on the server's machine,"
                    + " from its root, that is not there yet. Such a backup is not listed.");
    private static final Ask START = Ask.of("NewBackup", NAME, PATH);
    private static final JobName JOB = new JobName("backup");
    private static final String TAG = "Operations";

    private final Pool pool;
    private final Chores chores;
    private final Supplier<Path> directories;

    public BackupRoutes(Pool pool, Chores chores, Supplier<Path> directories) {
        this.pool = pool;
        this.chores = chores;
        this.directories = directories;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/backups").as("listBackups", TAG, "The backups there are, oldest first")
                        .gives(200, BACKUPS, "The backups.").does(_ -> Reply.ok(BACKUPS, all())),
                Route.post("/v1/backups")
                        .as("startBackup", TAG, "Copy the database, in a job, while everything goes on")
                        .takes(START).gives(202, JobRoutes.JOB, "The job that does it.")
                        .problems(Code.INVALID_SETTING, Code.EXISTS, Code.JOBS_CLOSED).inAudit().does(this::start));
    }

    private Reply start(Call call) throws IOException {
        Given given = call.body(START);
        Path directory = directories.get();
        Path target = target(directory, given.find(NAME), given.find(PATH));
        if (Files.exists(target)) {
            throw new InvalidSettingException(target + " is there already; choose another name");
        }
        if (given.has(NAME)) {
            Files.createDirectories(directory);
        }
        return JobRoutes.started(chores.start(JOB, _ -> {
            pool.backup(target);
            return new JobResult("written to " + target);
        }, new JobRequest(false, Map.of("target", target.toString()))), pool);
    }

    private static Path target(Path directory, Optional<String> name, Optional<Path> path) {
        if (name.isPresent() == path.isPresent()) {
            throw new ProblemException(Code.MISSING_VALUE, "a backup has a \"name\" or a \"path\": one of them");
        }
        return path.orElseGet(() -> directory.resolve(name.orElseThrow()));
    }

    private List<Backup> all() throws IOException {
        Path directory = directories.get();
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            List<Path> paths = entries.filter(Files::isDirectory).toList();
            List<Backup> backups = new ArrayList<>();
            for (Path path : paths) {
                backups.add(new Backup(path.getFileName().toString(), path, Files.getLastModifiedTime(path)
                        .toInstant()));
            }
            backups.sort(Comparator.comparing(Backup::made).thenComparing(Backup::name));
            return backups;
        }
    }
}
