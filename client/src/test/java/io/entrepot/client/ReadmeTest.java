package io.entrepot.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README promises has a test. */
class ReadmeTest {

    @Test
    void promises_haveTestsThatAreThere() throws IOException {
        StringBuilder tests = new StringBuilder();
        try (var walk = Files.walk(Path.of("src/test/java"))) {
            for (Path file : walk.filter(path -> path.toString().endsWith(".java")).toList()) {
                tests.append(Files.readString(file));
            }
        }
        Matcher named = Pattern.compile("`(?:[A-Z][A-Za-z]+\\.)?([a-z][A-Za-z]*_[A-Za-z_]+)`")
                .matcher(Files.readString(Path.of("README.md")));
        int seen = 0;
        while (named.find()) {
            seen++;
            assertThat(tests.toString()).as("a test that the README names").contains(" " + named.group(1) + "(");
        }
        assertThat(seen).isGreaterThan(10);
    }
}
