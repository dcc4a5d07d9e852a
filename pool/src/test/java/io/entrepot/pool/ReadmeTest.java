package io.entrepot.pool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is true. */
class ReadmeTest {
    private static final Path README = Path.of("README.md");
    private static final Path HERE = Path.of("src/test/java/io/entrepot/pool/ReadmeTest.java");
    private static final Path SOURCES = Path.of("../api/src/main/java/io/entrepot/pool");
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern MARKED = Pattern.compile("// README begins\n(.*?) *// README ends", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile("^\\| `(pool\\.[a-z.-]+)` \\| `([A-Za-z]+)` \\| ([a-z ]+) \\|",
            Pattern.MULTILINE);
    private static final Pattern THROWN = Pattern.compile("super\\(\"(pool\\.[a-z-]+)\",\\s*Advice\\.([A-Z_]+)");

    private final Queue<String> printed = new ConcurrentLinkedQueue<>();

    @Test
    void example_isWhatIsRunHere(@TempDir Path directory) throws Exception {
        three(directory.resolve("data"), "%PDF".getBytes(UTF_8));

        assertThat(printed).containsExactly("invoice.pdf: 4 bytes");
        Matcher shown = EXAMPLE.matcher(Files.readString(README));
        Matcher run = MARKED.matcher(Files.readString(HERE));
        assertThat(shown.find()).isTrue();
        assertThat(run.find()).isTrue();
        assertThat(shown.group(1)).isEqualTo(run.group(1).stripTrailing().stripIndent() + "\n");
    }

    private void three(Path data, byte[] bytes) throws Exception {
        // README begins
        try (Pool pool = Pool.open(data)) {
            pool.files().write(TenantId.DEFAULT, NewFile.named("invoice.pdf"), bytes);
            pool.process(TenantId.DEFAULT, 8, task -> print(task.file())).awaitIdle(Duration.ofMinutes(1));
        }
        // README ends
    }

    private void print(FileInfo file) {
        printed.add(file.name().orElseThrow() + ": " + file.size() + " bytes");
    }

    @Test
    void errors_areThoseOfTheFamily() throws IOException {
        Map<String, String> told = new TreeMap<>();
        Matcher rows = ROW.matcher(Files.readString(README));
        while (rows.find()) {
            told.put(rows.group(1), rows.group(2) + " " + rows.group(3));
        }
        Map<String, String> thrown = new TreeMap<>();
        for (Class<?> type : PoolException.class.getPermittedSubclasses()) {
            if (type.equals(RequestRefusedException.class)) {
                continue; // a server's, with codes of its own
            }
            Matcher codes = THROWN.matcher(Files.readString(SOURCES.resolve(type.getSimpleName() + ".java")));
            assertThat(codes.find()).as("the code of " + type.getSimpleName()).isTrue();
            thrown.put(codes.group(1), type.getSimpleName() + " " + codes.group(2).toLowerCase(java.util.Locale.ROOT)
                    .replace('_', ' '));
        }

        assertThat(told).as("the table of errors in " + README).isEqualTo(thrown);
    }

    @Test
    void promises_haveTestsThatAreThere() throws IOException {
        String readme = Files.readString(README);
        StringBuilder tests = new StringBuilder();
        try (var walk = Files.walk(Path.of("src/test/java"))) {
            for (Path file : walk.filter(path -> path.toString().endsWith(".java")).toList()) {
                tests.append(Files.readString(file));
            }
        }
        Matcher named = Pattern.compile("`(?:[A-Z][A-Za-z]+\\.)?([a-z][A-Za-z]*_[A-Za-z_]+)`").matcher(readme);
        int seen = 0;
        while (named.find()) {
            seen++;
            assertThat(tests.toString()).as("a test that the README names").contains(" " + named.group(1) + "(");
        }
        assertThat(seen).isGreaterThan(20);
    }
}
