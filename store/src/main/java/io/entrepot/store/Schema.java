package io.entrepot.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tables of one component and how they came to be: numbered scripts {@code schema/{dialect}/1.sql}, {@code 2.sql},
 * … beside the anchor class. A script is never changed once released; a change is the next script. An optional
 * {@code restore.sql} puts right what must not outlive the restoring of a backup.
 *
 * @param component a stable name under which the version is recorded
 * @param anchor the scripts are found beside this class
 * @param version the number of the newest script
 */
public record Schema(String component, Class<?> anchor, int version) {

    public Schema {
        if (component.isBlank() || version < 1) {
            throw new IllegalArgumentException("a schema has a name and at least version 1");
        }
    }

    /** The statements that lead from version {@code n - 1} to {@code n}. */
    public List<String> migration(String dialect, int n) {
        return script(dialect, n + ".sql").orElseThrow(
                () -> new IllegalStateException("no script " + n + " for " + component + " on " + dialect));
    }

    /** The statements to run after a backup was restored, if any. */
    public List<String> onRestore(String dialect) {
        return script(dialect, "restore.sql").orElse(List.of());
    }

    private Optional<List<String>> script(String dialect, String file) {
        try (InputStream in = anchor.getResourceAsStream("schema/" + dialect + "/" + file)) {
            return in == null
                    ? Optional.empty()
                    : Optional.of(statements(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Statements end with a semicolon at the end of a line; {@code --} comments take whole lines. */
    static List<String> statements(String script) {
        List<String> statements = new ArrayList<>();
        StringBuilder current = new StringBuilder();
        for (String line : script.lines().toList()) {
            if (line.isBlank() || line.stripLeading().startsWith("--")) {
                continue;
            }
            requireOneStatement(line);
            current.append(line).append('\n');
            if (line.stripTrailing().endsWith(";")) {
                statements.add(current.toString());
                current.setLength(0);
            }
        }
        if (!current.isEmpty()) {
            throw new IllegalStateException("a script ends within a statement: " + current);
        }
        return statements;
    }

    /** What follows a semicolon on the same line would be taken for a part of its statement, and not be run. */
    private static void requireOneStatement(String line) {
        String text = line.stripTrailing().replaceAll("'[^']*'", "");
        int end = text.indexOf(';');
        if (end >= 0 && end < text.length() - 1) {
            throw new IllegalStateException("a statement ends at the end of its line: " + line);
        }
    }
}
