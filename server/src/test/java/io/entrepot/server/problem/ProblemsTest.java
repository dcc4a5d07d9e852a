package io.entrepot.server.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.store.Advice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProblemsTest {
    private static final Path GUIDE = Path.of("../docs/http.md");
    private static final Path POOL = Path.of("../pool/src/main/java/io/entrepot/pool");
    private static final Pattern CODE = Pattern.compile("super\\(\"(pool\\.[a-z-]+)\"");

    @Test
    void guide_hasEveryCodeAndNoOther() throws IOException {
        List<String> told = Files.readAllLines(GUIDE).stream().filter(line -> line.matches("\\| `[a-z]+\\.[a-z-]+` .*"))
                .toList();
        assertThat(told).containsExactlyInAnyOrderElementsOf(Stream.of(Code.values()).map(code -> "| `" + code.text()
                + "` | " + code.status() + " | " + code.title() + " |").toList());
    }

    /** A new exception of the library would be told as an internal error. */
    @Test
    void everyCodeOfTheLibrary_hasAStatus() throws IOException {
        try (Stream<Path> sources = Files.walk(POOL)) {
            for (Path source : sources.filter(file -> file.toString().endsWith("Exception.java")).toList()) {
                CODE.matcher(Files.readString(source)).results().map(found -> found.group(1))
                        .forEach(code -> assertThat(Code.of(code)).as(code).isPresent());
            }
        }
    }

    @Test
    void of_whatNobodyThoughtOf_tellsNothingOfIt() {
        Problem problem = Problems.of(new IllegalStateException("secret inside"));
        assertThat(problem.code()).isEqualTo("http.internal");
        assertThat(problem.detail()).doesNotContain("secret");
        assertThat(problem.advice()).isEqualTo(Advice.UNKNOWN);
    }

    @Test
    void of_theLibrarys_keepsCodeAndAdvice() {
        Problem problem = Problems.of(new TenantNotFoundException(new TenantId("acme")));
        assertThat(problem.status()).isEqualTo(404);
        assertThat(problem.code()).isEqualTo("pool.tenant-not-found");
        assertThat(problem.json("r1")).containsEntry("instance", "r1").containsEntry("advice", "give-up");
    }
}
