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
import java.util.Locale;
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

    /** Every way to be wrong that a user finds in the first hour: the same words and codes, whoever has the data. */
    @Test
    void complaints_areTheSame_openedOrThroughAServer() throws Exception {
        Transcript opened = complain(new Transcript(Files.createDirectory(directory.resolve("opened"))));
        Path served = Files.createDirectory(directory.resolve("served"));
        try (Server server = ServedData.serve(served.resolve("data"))) {
            Transcript through = complain(new Transcript(served, Optional.of(server)));
            assertThat(through.told()).isEqualTo(opened.told());
        }
    }

    private static Transcript complain(Transcript story) throws Exception {
        Path root = story.root();
        String file = Files.write(root.resolve("one.pdf"), new byte[100]).toString();
        String key = story.run("put", file).word();
        String none = "00000000000000000000000000000000";
        for (String wrong : new String[]{none, "nonsense", key.toUpperCase(Locale.ROOT), "", "../x"}) {
            for (String command : new String[]{"stat", "get", "rm", "history", "explain", "reset", "retry", "unhold"}) {
                story.run(command, wrong);
            }
            story.run("claim", wrong);
        }
        for (String wrong : new String[]{none + "@1", none + "@zz-zz", "nonsense", key + "@", key + "@1"}) {
            story.run("renew", wrong);
            story.run("complete", wrong);
            story.run("fail", wrong);
            story.run("release", wrong);
        }
        for (String tenant : new String[]{"nobody", "No Body", "-x", "a/b"}) {
            story.run("put", file, "--tenant=" + tenant);
            story.run("ls", "--tenant=" + tenant);
            story.run("claim", "--tenant=" + tenant);
            story.run("stat", key, "--tenant=" + tenant);
            story.run("uploads", "list", "--tenant=" + tenant);
            story.run("quota", "set", tenant + "/in", "3");
            for (String command : new String[]{"disable", "enable", "suspend", "pause", "resume", "delete"}) {
                story.run("tenants", command, tenant);
            }
            story.run("tenants", "limits", tenant, "--files", "3");
            story.run("tenants", "usage", tenant);
        }
        story.run("tenants", "create", "default");
        story.run("tenants", "create", "a b");
        story.run("tenants", "limits", "default", "--files", "-1");
        story.run("tenants", "limits", "default", "--files", "x");
        story.run("tenants", "delete", "default");
        story.run("put", file, "--dir", "../up");
        story.run("put", file, "--dir", "a/" + "x".repeat(300));
        story.run("put", file, "--label", "novalue");
        story.run("put", file, "--label", "=x");
        story.run("put", file, "--name", "a/b");
        story.run("put", file, "--name", "x".repeat(300));
        story.run("put", file, "--name", "");
        story.run("put", file, "--priority", "1000000");
        story.run("put", root.toString() + "/nothing");
        story.run("get", key, "-o", root.resolve("no/such/dir/x").toString());
        story.run("get", key, "--range", "5-2");
        story.run("get", key, "--range", "1000-");
        story.run("get", key, "--range", "x");
        story.run("ls", "--status", "nonsense");
        story.run("ls", "--limit", "0");
        story.run("ls", "--label", "novalue");
        story.run("ls", "--dir", "../x");
        story.run("claim", "--max", "0");
        story.run("claim", "--max", "100000");
        story.run("claim", "--term", "0s");
        story.run("claim", "--term", "9999d");
        story.run("claim", "--worker", "");
        story.run("claim", "--worker", "x".repeat(400));
        String lease = story.run("claim", "--worker", "w").word();
        story.run("claim", key);
        story.run("rm", key);
        story.run("retry", key);
        story.run("complete", lease);
        story.run("complete", lease);
        story.run("fail", lease);
        story.run("renew", lease);
        story.run("release", lease);
        story.run("quota", "set", "default/[", "3");
        story.run("quota", "set", "default/in", "-1");
        story.run("quota", "remove", "default/none");
        story.run("quota", "usage", "--tenant=nobody");
        story.run("tenants", "limits", "default", "--files", "0");
        story.run("put", file);
        story.run("tenants", "limits", "default", "--files", "none", "--bytes", "10");
        story.run("put", file);
        story.run("tenants", "limits", "default", "--bytes", "none");
        story.run("quota", "set", "default/full", "0");
        story.run("put", file, "--dir", "full");
        for (String state : new String[]{"suspend", "disable"}) {
            story.run("tenants", state, "default");
            story.run("put", file);
            story.run("claim");
            story.run("ls");
            story.run("claim", key);
        }
        story.run("tenants", "enable", "default");
        story.run("volumes", "mount", "main", root.resolve("other").toString());
        story.run("volumes", "mount", "a b", root.resolve("other").toString());
        story.run("volumes", "mount", "other", root.resolve("data/files/inside").toString());
        story.run("volumes", "mount", "other", root.resolve("one.pdf").toString());
        story.run("volumes", "mount", "other", root.resolve("deep").toString(), "--depth", "9");
        for (String command : new String[]{"unmount", "drain", "activate", "read-only", "spare"}) {
            story.run("volumes", command, "none");
        }
        story.run("volumes", "unmount", "main");
        story.run("volumes", "set", "none", "--headroom", "1");
        story.run("volumes", "read-only", "main");
        story.run("put", file);
        story.run("volumes", "activate", "main");
        story.run("jobs", "run", "none");
        story.run("cleanup", "--step", "none");
        story.run("watchers", "add", "x y", root.resolve("in").toString());
        story.run("watchers", "add", "w", root.resolve("in").toString(), "--tenant=nobody");
        story.run("watchers", "add", "w", root.resolve("data/files").toString());
        story.run("watchers", "add", "w", root.resolve("in").toString(), "--move", root.resolve("in/done").toString());
        story.run("watchers", "remove", "none");
        story.run("watchers", "scan", "none");
        story.run("events", "--after", "x");
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
                    .append(alike(ran.out())).append(alike(ran.err()));
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
            String alike = said.replace(root.toString(), "ROOT").replaceAll("(?i)[0-9a-f]{32}", "KEY")
                    .replaceAll("\\.entrepot-\\d+", ".entrepot-N").replaceAll("volume [0-9a-f]{16}:", "volume ID:")
                    .replaceAll("there are [a-z, -]*scrub[a-z, -]*", "there are some") // a server has more jobs

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
