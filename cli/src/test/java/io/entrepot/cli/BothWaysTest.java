package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One story by commands, on a directory that is opened and on one that a server has: word for word the same. */
class BothWaysTest {
    /** What is done while no server has the data, and what is done by a server only. */
    private static final Set<String> ONE_WAY = Set.of("run", "restore", "recover");

    @TempDir
    Path directory;

    @Test
    void commands_sayTheSame_openedOrThroughAServer() throws Exception {
        Transcript opened = tell(new Transcript(Files.createDirectory(directory.resolve("opened"))));
        Path served = Files.createDirectory(directory.resolve("served"));
        Transcript through;
        try (Server server = ServedData.serve(served.resolve("data"))) {
            through = tell(new Transcript(served, Optional.of(server)));
        }
        assertThat(through.told()).isEqualTo(opened.told());

        Set<String> all = new TreeSet<>(Objects.requireNonNull(Commands.all().specFor("pool").subcommands()
                .get("pool")).getSubcommands().keySet());
        all.removeAll(opened.commands());
        assertThat(all).as("commands that are in no story").isEqualTo(new TreeSet<>(ONE_WAY));
    }

    private static Transcript tell(Transcript story) throws Exception {
        Path root = story.root();
        String file = Files.write(root.resolve("one.pdf"), new byte[100_000]).toString();
        String key = story.run("put", file, "--dir", "in", "--label", "a=b").word();
        story.run("put", root.resolve("none").toString());
        for (String json : new String[]{"--json", "-t=default"}) {
            story.run("ls", json);
            story.run("explain", key, json);
            story.run("history", key, json);
        }
        story.run("get", key, "-o", root.resolve("copy").toString());
        String lease = story.run("claim", "--worker", "w").word();
        story.run("renew", lease);
        story.run("fail", lease, "--for-good", "--error", "bad");
        story.run("retry", "--all-failed");
        story.run("reset", key);
        story.run("release", story.run("claim").word());
        story.run("unhold", key);
        story.run("unhold", "--all", "--json");
        tellOfWhatHolds(story);
        tellOfWatchers(story);
        tellOfCare(story, key);
        story.run("complete", story.run("claim").word());
        story.run("stat", key);
        story.run("rm", key);
        story.types("events", "--json");
        story.run("events", "--after", "-1");
        return story;
    }

    private static void tellOfWhatHolds(Transcript story) throws Exception {
        story.run("tenants", "create", "acme", "--files", "5");
        story.run("tenants", "list", "--json");
        story.run("tenants", "usage");
        story.run("quota", "set", "acme/in", "3");
        story.run("quota", "list", "--json");
        story.run("volumes", "list");
        String second = story.root().resolve("second").toString();
        story.run("volumes", "mount", "second", second, "--headroom", "0", "--json");
        story.run("volumes", "mount", "far", "ether:far");
        story.run("volumes", "drain", "second", "--json");
        story.run("volumes", "activate", "second");
        story.run("ls", "--volume", "main");
        story.run("ls", "--volume", "second", "--json");
        story.run("ls", "--volume", "third");
        story.run("volumes", "read-only", "second");
        story.run("volumes", "set", "second", "--headroom", "1KiB", "--json");
        story.run("volumes", "set", "second", "--headroom", "0");
        story.run("volumes", "spare", "second");
        String upload = story.beginUpload(NewFile.named("large").ofSize(5));
        story.run("uploads", "list");
        story.run("uploads", "list", "--json");
        story.run("volumes", "activate", "second");
        story.run("volumes", "drain", "main", "--timeout", "600ms");
        story.run("volumes", "activate", "main");
        story.run("uploads", "cancel", upload);
        story.run("uploads", "cancel", upload);
        story.run("uploads", "cancel", "nonsense");
        story.run("volumes", "drain", "nothing");
        story.run("volumes", "drain", "second");
        story.run("volumes", "unmount", "second");
        tellOfALostVolume(story);
    }

    private static void tellOfALostVolume(Transcript story) throws Exception {
        Path disk = story.root().resolve("third");
        story.run("volumes", "mount", "third", disk.toString(), "--headroom", "0", "--json");
        story.run("volumes", "give-up", "third", "--yes");
        story.run("volumes", "give-up", "third");
        Files.delete(disk.resolve(".entrepot/volume"));
        story.run("volumes", "give-up", "third", "--dry-run", "--json");
        story.run("volumes", "give-up", "third", "--yes");
        story.run("volumes", "give-up", "third", "--yes");
    }

    private static void tellOfWatchers(Transcript story) throws IOException {
        Path inbox = story.root().resolve("inbox");
        story.run("watchers", "scan");
        story.run("watchers", "add", "inbox", inbox.toString(), "--min-age", "20ms", "--disabled", "--json");
        Files.writeString(inbox.resolve("one.txt"), "one");
        Files.writeString(inbox.resolve("two.tmp"), "two");
        story.run("watchers", "scan", "inbox");
        Files.writeString(inbox.resolve("three.txt"), "three");
        story.run("watchers", "scan", "inbox", "--json");
        story.remembered("inbox", "watchers", "list");
        story.run("watchers", "set", "inbox", "--move", story.root().resolve("done").toString(), "--marker", ".ok",
                "--priority", "4", "--json");
        story.run("watchers", "set", "inbox", "--all-tenants", "--marker", "none", "--no-create-directories", "--json");
        story.run("watchers", "set", "inbox", "-t", "nobody");
        story.run("watchers", "set", "inbox", "-t", "acme", "--json");
        story.run("watchers", "parked", "inbox");
        story.run("watchers", "retry", "inbox", "--all", "--json");
        story.run("watchers", "retry", "inbox", "x");
        story.run("watchers", "enable", "inbox");
        story.run("watchers", "disable", "inbox");
        story.run("watchers", "add", "inbox", inbox.toString());
        story.run("watchers", "show", "none");
        Files.delete(inbox.resolve("two.tmp"));
        Files.delete(inbox);
        story.run("watchers", "scan", "inbox");
        story.run("watchers", "remove", "inbox");
        story.run("watchers", "list");
    }

    private static void tellOfCare(Transcript story, String key) throws Exception {
        story.run("jobs", "run", "probe-volumes");
        story.run("jobs", "run", "cleanup", "--dry-run", "--json");
        story.run("jobs", "run", "nonsense");
        story.remembered("cleanup", "jobs", "list");
        story.run("cleanup");
        story.run("cleanup", "--step", "completed");
        story.run("cleanup", "--step", "orphans", "--step", "completed", "--older-than", "0s", "--dry-run", "--json");
        story.run("cleanup", "--step", "compact");
        story.run("cleanup", "--step", "empty-directories", "-t", "acme");
        story.run("cleanup", "--remove");
        story.run("scrub");
        story.run("scrub", "--resume", "--json");
        story.run("check", "--files");
        story.run("backup", story.root().resolve("backup").toString());
        story.run("backup", story.root().resolve("backup").toString());
        story.run("backup", story.root().resolve("no/such/directory").toString(), "--json");
        Path bytes = Path.of(Ran.pool(story.root().resolve("data"), "stat", key, "--json").field("path"));
        byte[] whole = Files.readAllBytes(bytes);
        Files.write(bytes, new byte[whole.length - 1]);
        story.run("check", "--deep");
        story.run("scrub", "--json");
        Files.delete(bytes);
        story.run("cleanup", "--step", "missing-bytes");
        Files.write(bytes, whole);
    }

    /** What one of them was told, without what is never twice the same. */
    private static final class Transcript {
        private final Path root;
        private final Optional<Server> server;
        private final StringBuilder text = new StringBuilder();
        private final Set<String> commands = new TreeSet<>();

        Transcript(Path root) {
            this(root, Optional.empty());
        }

        Transcript(Path root, Optional<Server> server) {
            this.root = root;
            this.server = server;
        }

        Path root() {
            return root;
        }

        String told() {
            return text.toString();
        }

        Set<String> commands() {
            return commands;
        }

        Ran run(String... args) {
            commands.add(args[0]);
            Ran ran = Ran.pool(root.resolve("data"), args);
            text.append("$ ").append(alike(String.join(" ", args))).append(" -> ").append(ran.exit()).append('\n')
                    .append(alike(ran.out())).append(alike(ran.err().replaceAll(
                            "(?m)^entrepot: (http|pool)[.].*$", "entrepot: says why")));
            return ran;
        }

        /** Only of what it tells. */
        void types(String... args) {
            commands.add(args[0]);
            Ran ran = Ran.pool(root.resolve("data"), args);
            text.append(ran.exit()).append(ran.out().lines().map(line -> line.replaceAll(".*\"type\":\"([^\"]*).*",
                    "$1")).filter(type -> type.startsWith("file.") || type.startsWith("watcher."))
                    .collect(Collectors.joining(" ")));
        }

        /** A process that stays knows what it did before: only the first columns of some rows. */
        void remembered(String rows, String... args) {
            commands.add(args[0]);
            Ran ran = Ran.pool(root.resolve("data"), args);
            text.append(ran.exit()).append(ran.out().lines().filter(line -> line.startsWith(rows))
                    .map(line -> line.replaceAll("^(\\S+ +\\S+).*", "$1")).toList()).append('\n');
        }

        String beginUpload(NewFile file) throws Exception {
            if (server.isPresent()) {
                return server.get().pool().uploads().begin(TenantId.DEFAULT, file).toString();
            }
            try (Pool pool = Pool.open(root.resolve("data"))) {
                return pool.uploads().begin(TenantId.DEFAULT, file).toString();
            }
        }

        private String alike(String said) {
            String alike = said.replace(root.toString(), "ROOT").replaceAll("[0-9a-f]{32}", "KEY")
                    .replaceAll("@[0-9a-z-]+", "@LEASE").replaceAll("20\\d\\d-\\d\\d-\\d\\d[T ][0-9:.]+Z?", "TIME")
                    .replaceAll("\"(total|free|available|sizeBefore|sizeAfter)\":\\d+", "\"$1\":N")
                    .replaceAll("\"source\":\"(?!watch)[^\"]*\"", "\"source\":\"…\"")
                    .replaceAll("[0-9.]+ [KGT]iB", "SIZE")
                    .replaceAll("from (http [a-z0-9]{12}|ROOT/one[.]pdf)", "from …")
                    .replaceAll("(?m)^files must be seen unchanged.*\n", "") // by a process that has not seen them before
                    .replaceAll("\\d+ bytes available", "N bytes available");
            return Arrays.stream(alike.split("\n", -1)).map(line -> line.replaceAll(" {2,}", "  "))
                    .collect(Collectors.joining("\n"));
        }
    }
}
