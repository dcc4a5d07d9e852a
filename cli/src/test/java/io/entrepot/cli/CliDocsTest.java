package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/cli.md} names what there is. */
class CliDocsTest {
    private static final Pattern FIELD = Pattern.compile("\"([A-Za-z0-9]+)\":");

    private static String text = "";

    @TempDir
    Path directory;

    @BeforeAll
    static void readDocs() throws Exception {
        text = Files.readString(Path.of("../docs/cli.md"));
    }

    @Test
    void docs_haveEveryCommand() {
        for (String command : Commands.all().table().keySet()) {
            assertThat(text).contains("`" + command);
        }
        for (List<String> group : List.of(List.of("pool"), List.of("pool", "tenants"), List.of("pool", "volumes"),
                List.of("pool", "quota"), List.of("pool", "jobs"), List.of("pool", "watchers"),
                List.of("pool", "uploads"), List.of("config"), List.of("keys"))) {
            var spec = Commands.all().specFor(group.toArray(String[]::new));
            for (String word : group) {
                spec = Objects.requireNonNull(spec.subcommands().get(word)).getCommandSpec();
            }
            for (String command : spec.subcommands().keySet()) {
                assertThat(text).containsPattern("`" + String.join(" ", group) + " " + command + "[ `]");
            }
        }
    }

    @Test
    void docs_haveEveryExitCode() throws Exception {
        for (Field code : ExitCode.class.getDeclaredFields()) {
            assertThat(text).containsPattern("(?m)^\\| " + code.getInt(null) + " \\|");
        }
    }

    @Test
    void docs_haveEveryFieldOfAnswers() throws Exception {
        Path data = directory.resolve("data");
        String key;
        try (Pool pool = Pool.open(data)) {
            key = pool.files().write(TenantId.DEFAULT, NewFile.named("x").from("there"), new byte[3]).key().toString();
        }
        Ran.pool(data, "quota", "set", "default", "5");
        Ran.pool(data, "tenants", "limits", "default", "--files", "9", "--bytes", "9KiB");
        Ran.pool(data, "tenants", "retry", "default", "--attempts", "2");
        Path inbox = directory.resolve("inbox");
        Ran.pool(data, "watchers", "add", "inbox", inbox.toString(), "--min-age", "10ms", "--move",
                directory.resolve("done").toString());
        Files.createSymbolicLink(inbox.resolve("link"), Path.of("nowhere"));
        Files.writeString(inbox.resolve("one"), "one");
        try (Pool pool = Pool.open(data)) {
            pool.uploads().begin(TenantId.DEFAULT, NewFile.named("large").ofSize(5));
        }
        Path lost = directory.resolve("lost");
        Ran.pool(data, "volumes", "mount", "lost", lost.toString());
        Ran.pool(data, "volumes", "read-only", "main");
        Ran.pool(data, "put", "pom.xml");
        Ran.pool(data, "volumes", "activate", "main");
        Files.delete(lost.resolve(".entrepot/volume"));
        StringBuilder answers = new StringBuilder();
        for (List<String> command : List.of(List.of("claim"), List.of("stat", key), List.of("history", key),
                List.of("explain", key), List.of("events"), List.of("tenants", "list"), List.of("tenants", "usage"),
                List.of("volumes", "list"), List.of("quota", "list"), List.of("quota", "usage"),
                List.of("quota", "recount"), List.of("jobs", "list"), List.of("jobs", "run", "probe-volumes"),
                List.of("reset", key), List.of("ls"), List.of("put", "pom.xml"), List.of("watchers", "scan"),
                List.of("watchers", "set", "inbox", "--all-tenants", "--marker", ".x"),
                List.of("watchers", "show", "inbox"),
                List.of("watchers", "retry", "inbox", "--all"), List.of("uploads", "list"), List.of("cleanup"),
                List.of("cleanup", "--step", "compact"), List.of("scrub"), List.of("check"), List.of("unhold", "--all"),
                List.of("backup", directory.resolve("backup").toString()), List.of("run", "--for", "1ms"),
                List.of("volumes", "mount", "second", directory.resolve("second").toString()),
                List.of("volumes", "drain", "second"),
                List.of("volumes", "give-up", "lost", "--dry-run"))) { // an upload keeps main busy
            String[] args = Stream.concat(command.stream(), Stream.of("--json"))
                    .toArray(String[]::new);
            answers.append(Ran.pool(data, args).out().replaceAll("\"body\":\\{[^}]*}", "\"body\":0"));
        }
        answers.append(Ran.pool(directory.resolve("again"), "restore", directory.resolve("backup").toString(), "--json")
                .out());
        answers.append(Ran.command("work", "--json", "--data", data.toString(), "--", "false").out());
        Matcher fields = FIELD.matcher(answers);
        int found = 0;
        while (fields.find()) {
            found++;
            assertThat(text).contains("`" + fields.group(1) + "`");
        }
        assertThat(found).isGreaterThan(300);
    }
}
