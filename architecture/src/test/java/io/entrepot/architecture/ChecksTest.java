package io.entrepot.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code of every module is among what is checked. */
class ChecksTest {
    private static final Path PROJECT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");
    private static final Pattern ROOT = Pattern
            .compile("<compileSourceRoot>\\$\\{maven\\.multiModuleProjectDirectory}/(.+?)</compileSourceRoot>");

    @Test
    void checks_haveTheCodeOfEveryModule() throws IOException {
        List<String> roots = new ArrayList<>();
        for (String module : found(MODULE, PROJECT.resolve("pom.xml"))) {
            for (String code : List.of(module + "/src/main/java", module + "/src/test/java")) {
                if (Files.isDirectory(PROJECT.resolve(code))) {
                    roots.add(code);
                }
            }
        }

        assertThat(found(ROOT, PROJECT.resolve("checks/pom.xml"))).containsExactlyInAnyOrderElementsOf(roots)
                .contains("architecture/src/test/java");
    }

    private static List<String> found(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file)).results().map(match -> match.group(1)).toList();
    }
}
