package io.entrepot.pool.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every event that is published is known, and every one that is known is published. */
class EventTypeTest {
    private static final Path SOURCES = Path.of("src/main/java/io/entrepot/pool");
    private static final Path KEPT = Path.of("../docs/events.md");
    /** A text that looks like a type, or the beginning of one. Codes of errors and names of counters begin with "pool." */
    private static final Pattern LIKE_A_TYPE = Pattern.compile("\"([a-z]+\\.(?:[a-z]+(?:-[a-z]+)*)?)\"");
    /** Like types, and none: names of files and meters. */
    private static final Set<String> NONE = Set.of("entrepot.recovering", "entrepot.settings", "report.txt",
            "settings.new");
    /** Begun with these, and ended with the name of a constant. */
    private static final List<List<String>> MADE = List.of(codes("tenant.", TenantStatus.values()),
            codes("volume.", VolumeState.values()), codes("volume.", VolumeHealth.values()));

    @Test
    void published_areAllKnown() throws IOException {
        List<String> unknown = new ArrayList<>();
        Set<String> published = new TreeSet<>();
        MADE.forEach(published::addAll);
        try (Stream<Path> walk = Files.walk(SOURCES)) {
            for (Path file : walk.filter(path -> path.toString().endsWith(".java")).toList()) {
                if (!file.endsWith("EventType.java") && !file.toString().contains("/metrics/")) {
                    collect(file, published, unknown);
                }
            }
        }
        assertThat(unknown).as("these are published (or look like it) and not in EventType: add them there, and to"
                + " docs/events.md by -Dreference.write=true").isEmpty();
        assertThat(published).isEqualTo(new TreeSet<>(Arrays.stream(EventType.values()).map(EventType::code).toList()));
    }

    private static void collect(Path file, Set<String> published, List<String> unknown) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            boolean comment = lines.get(i).strip().startsWith("*");
            Matcher matcher = LIKE_A_TYPE.matcher(comment ? "" : lines.get(i));
            while (matcher.find()) {
                String text = matcher.group(1);
                boolean prefix = text.endsWith(".");
                boolean code = text.startsWith("pool.") && !lines.get(i).contains("publish(");
                if (code || NONE.contains(text)
                        || (prefix && published.stream().anyMatch(known -> known.startsWith(text)))) {
                    continue;
                }
                if (!prefix && EventType.of(text).isPresent()) {
                    published.add(text);
                } else {
                    unknown.add(file.getFileName() + ":" + (i + 1) + ": " + text);
                }
            }
        }
    }

    private static List<String> codes(String prefix, Enum<?>[] constants) {
        return Arrays.stream(constants)
                .map(constant -> prefix + constant.name().toLowerCase(Locale.ROOT).replace('_', '-')).toList();
    }

    @Test
    void documentation_isWhatIsKept() throws IOException {
        StringBuilder now = new StringBuilder(
                """
                # Events

                Whatever happens in a pool is written down in the same transaction, and can be listened to: `pool.listen` in Java. An event has a number that
                grows by one in its store, a time, a tenant (or none, if it is of the whole pool), a type, a subject, and a body of texts,
                numbers and booleans. Types and names are stable; later versions may add some.

                | type | subject | what has happened | body |
                |---|---|---|---|
                """);
        for (EventType type : EventType.values()) {
            now.append("| `").append(type.code()).append("` | ").append(type.subject()).append(" | ")
                    .append(type.meaning()).append(" | ")
                    .append(String.join(", ", type.body().stream().map(name -> "`" + name + "`").toList()))
                    .append(" |\n");
        }
        if (Boolean.getBoolean("reference.write")) {
            Files.writeString(KEPT, now);
        }
        assertThat(now.toString()).as("run this test with -Dreference.write=true to write docs/events.md anew")
                .isEqualTo(Files.exists(KEPT) ? Files.readString(KEPT) : "");
    }
}
