package io.entrepot.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A configuration with something of everything in it. */
record Harbour(String name, List<String> flags, Office office, Retry retry, List<Quay> quays) {

    enum Placement {
        MOST_FREE, ROUND_ROBIN
    }

    record Office(int port, boolean open, Optional<Secret> token, Path data, Placement placement, long buffer) {}

    record Retry(int attempts, Duration first, Duration longest) {
        Retry {
            if (first.compareTo(longest) > 0) {
                throw new IllegalArgumentException("the first delay is longer than the longest");
            }
        }
    }

    record Quay(String name, Path path, Retry retry) {}

    static final Setting<String> NAME = Setting.of("name", Kind.text(), "What it is called.");
    static final Setting<List<String>> FLAGS = Setting
            .of("flags", Kind.listOf(Kind.text()), "Whose ships may come in.").or(List.of("any"));
    static final Setting<Integer> PORT = Setting.of("port", Kind.whole(1, 65535), "Where the office listens.").or(8080);
    static final Setting<Boolean> OPEN = Setting.of("open", Kind.truth(), "Whether ships are served.").or(true)
            .reloadable();
    static final Setting<Optional<Secret>> TOKEN = Setting
            .of("token", Kind.secret(), "What a pilot must know.").optional().reloadable();
    static final Setting<Path> DATA = Setting.of("data", Kind.path(), "Where the books are.").or(Path.of("books"));
    static final Setting<Placement> PLACEMENT = Setting
            .of("placement", Kind.choice(Placement.class), "Which quay is next.").or(Placement.MOST_FREE);
    static final Setting<Long> BUFFER = Setting
            .of("buffer", Kind.bytes(1024, 1L << 30), "How much is kept at hand | a pipe.")
            .or(65536L).tooSmall("many small reads.").tooLarge("memory is used up.");
    static final Section<Office> OFFICE = new Section<>("office", "The office.",
            List.of(PORT, OPEN, TOKEN, DATA, PLACEMENT, BUFFER), values -> new Office(values.get(PORT),
                    values.get(OPEN), values.get(TOKEN), values.get(DATA), values.get(PLACEMENT), values.get(BUFFER)));

    static final Setting<Integer> ATTEMPTS = Setting.of("attempts", Kind.whole(1, 100), "How often it is tried.").or(3)
            .tooSmall("a short storm fails everything.").tooLarge("what is broken is tried for hours.").reloadable();
    static final Setting<Duration> FIRST = Setting
            .of("first", Kind.duration(Duration.ofMillis(1), Duration.ofDays(1)), "The first delay.")
            .or(Duration.ofSeconds(5)).reloadable();
    static final Setting<Duration> LONGEST = Setting
            .of("longest", Kind.duration(Duration.ofMillis(1), Duration.ofDays(7)), "No delay is longer.")
            .or(Duration.ofMinutes(90));
    static final Section<Retry> RETRY = new Section<>("retry", "How it is tried again.",
            List.of(ATTEMPTS, FIRST, LONGEST),
            values -> new Retry(values.get(ATTEMPTS), values.get(FIRST), values.get(LONGEST)));

    static final Setting<String> QUAY_NAME = Setting.of("name",
            Kind.text().as("a quay", Harbour::quay, name -> name), "What it is called.");
    static final Setting<Path> PATH = Setting.of("path", Kind.path(), "Where it is.");
    static final Entries<Quay> QUAYS = new Section<>("quay", "Where ships lie.", List.of(QUAY_NAME, PATH, RETRY),
            values -> new Quay(values.get(QUAY_NAME), values.get(PATH), values.get(RETRY)))
            .each().distinctBy(QUAY_NAME).distinctBy(PATH).once();

    /** Tables before settings, on purpose: the order in which they are declared does not matter. */
    static final Section<Harbour> ROOT = Section.root("All of a harbour.",
            List.of(OFFICE, RETRY, QUAYS, NAME, FLAGS), values -> new Harbour(values.get(NAME), values.get(FLAGS),
                    values.get(OFFICE), values.get(RETRY), values.get(QUAYS)));

    private static String quay(String name) {
        if (!name.matches("[a-z]+")) {
            throw new IllegalArgumentException("only a-z");
        }
        return name;
    }

    static Configuration<Harbour> read(Path directory, String text) throws IOException {
        return Configuration.read(ROOT, Files.writeString(directory.resolve("harbour.toml"), text, UTF_8));
    }
}
