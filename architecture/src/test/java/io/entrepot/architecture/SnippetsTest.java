package io.entrepot.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every piece of Java in the documents compiles. */
class SnippetsTest {
    private static final Path PROJECT = Path.of("..");
    private static final Pattern JAVA = Pattern.compile("^```java\\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern MEMBERS = Pattern.compile("(static|@Component)\\b.*", Pattern.DOTALL);
    private static final String LEFT_OUT = "…";
    /** Where its examples can be taken from as they stand. */
    private static final Path WHOLE = Path.of("docs/java.md");
    private static final String IMPORT = "import ";
    /** Where readers' classes come from; an import is not shown to them. */
    private static final List<String> PACKAGES = List.of("java.io", "java.net", "java.nio.file", "java.security",
            "java.time", "java.util", "java.util.regex", "javax.crypto", "javax.crypto.spec",
            "io.entrepot.chaos.history",
            "io.entrepot.client", "io.entrepot.config", "io.entrepot.lab", "io.entrepot.lease", "io.entrepot.pool",
            "io.entrepot.posix", "io.entrepot.queue", "io.entrepot.scan", "io.entrepot.spring", "io.entrepot.store",
            "org.springframework.stereotype");

    /** Others have such names too. */
    private static final List<String> CLASSES = List.of("static java.nio.charset.StandardCharsets.UTF_8",
            "io.entrepot.lease.Verdict", "io.entrepot.pool.volume.BackendProvider",
            "io.entrepot.pool.process.Processing", "io.entrepot.queue.Ending",
            "io.entrepot.scan.Scanner");

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    @Test
    void java_inTheDocuments_compiles(@TempDir Path classes) throws Exception {
        List<String> wrong = new ArrayList<>();
        int snippets = 0;
        for (Path document : documents()) {
            for (String snippet : JAVA.matcher(Files.readString(document)).results().map(MatchResult::group).toList()) {
                snippets++;
                String body = snippet.lines().skip(1).filter(line -> !line.equals("```"))
                        .reduce("", (all, line) -> all + line + "\n");
                if (PROJECT.relativize(document).equals(WHOLE) && !body.startsWith(IMPORT)) {
                    wrong.add(WHOLE + ": an example without its imports: " + body);
                }
                compile(body, classes).forEach(error -> wrong.add(PROJECT.relativize(document) + ": " + error));
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(snippets).isGreaterThan(15);
    }

    @Test
    void compile_whenAMethodIsNotThere_saysSo(@TempDir Path classes) throws Exception {
        assertThat(compile("pool.files().scribble();", classes)).singleElement().asString().contains("scribble");
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        documents.add(PROJECT.resolve("README.md"));
        try (Stream<Path> guides = Files.walk(PROJECT.resolve("docs"));
                Stream<Path> modules = Files.list(PROJECT)) {
            guides.filter(path -> path.toString().endsWith(".md")).forEach(documents::add);
            modules.map(module -> module.resolve("README.md")).filter(Files::exists).forEach(documents::add);
        }
        return documents;
    }

    /** What the compiler has against it. */
    private static List<String> compile(String snippet, Path classes) throws IOException {
        String text = snippet.replace(LEFT_OUT, "");
        if (text.startsWith(IMPORT)) {
            return compileUnit(text, classes);
        }
        String body = MEMBERS.matcher(text).matches() ? text : "void run() throws Exception {\n" + text + "}\n";
        StringBuilder unit = new StringBuilder();
        CLASSES.forEach(name -> unit.append("import ").append(name).append(";\n"));
        PACKAGES.forEach(name -> unit.append("import ").append(name).append(".*;\n"));
        unit.append("class Snippet extends Surroundings {\n").append(body).append("}\n").append(surroundings());
        return compileUnit(unit.toString(), classes);
    }

    private static List<String> compileUnit(String unit, Path classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        compiler.getTask(null, null, said, List.of("-proc:none", "-d", classes.toString()), null,
                List.of(new Source("Snippet", unit))).call();
        return said.getDiagnostics().stream().filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(one -> one.getMessage(Locale.ROOT)).toList();
    }

    private static String surroundings() throws IOException {
        try (InputStream in = Objects.requireNonNull(SnippetsTest.class.getResourceAsStream("Surroundings.txt"))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
