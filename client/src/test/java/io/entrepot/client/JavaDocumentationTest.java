package io.entrepot.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/java.md} are whole, and compile with what a program has that depends on the client. */
class JavaDocumentationTest {
    private static final Path PAGE = Path.of("../docs/java.md");
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private static final class Example extends SimpleJavaFileObject {
        private final String code;

        Example(String code, int number) {
            super(URI.create("string:///example" + number + "/Example.java"), Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }

    private static List<String> examples() throws IOException {
        return EXAMPLE.matcher(Files.readString(PAGE)).results().map(result -> result.group(1)).toList();
    }

    @Test
    void examples_asTheyStand_compile(@TempDir Path classes) throws Exception {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        List<String> examples = examples();
        assertThat(examples).hasSizeGreaterThan(1);
        for (int i = 0; i < examples.size(); i++) {
            StringWriter said = new StringWriter();
            List<JavaFileObject> units = List.of(new Example(examples.get(i), i));
            boolean compiled = compiler
                    .getTask(said, null, null, List.of("-d", classes.toString(), "-proc:none", "-classpath",
                            System.getProperty("java.class.path")), null, units)
                    .call();
            assertThat(compiled).as("example %s of %s: %s", i, PAGE, said).isTrue();
        }
    }
}
