package io.entrepot.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    private static final Setting<Integer> PORT = Setting.of("port", Kind.whole(0, 9), "The port.").or(1);
    private static final Setting<Duration> IDLE = Setting.of("idle-time", Kind.duration(Duration.ZERO,
            Duration.ofDays(1)), "How long.").or(Duration.ZERO);
    private static final Setting<Boolean> LOUD = Setting.of("loud", Kind.truth(), "Whether.").or(false);
    private static final Setting<List<String>> NAMES = Setting.of("names", Kind.listOf(Kind.text()), "Who.")
            .or(List.of());
    private static final Setting<Optional<Secret>> WORD = Setting.of("word", Kind.secret(), "Hush.").optional();

    private record All(int port, Duration idle, boolean loud, List<String> names, Optional<Secret> word) {}

    private static final Section<All> SERVER = new Section<>("server", "A server.", List.of(PORT, IDLE, LOUD, NAMES,
            WORD),
            values -> new All(values.get(PORT), values.get(IDLE), values.get(LOUD), values.get(NAMES),
                    values.get(WORD)));
    private static final Section<All> ROOT = Section.root("All.", List.of(SERVER), values -> values.get(SERVER));

    private static Configuration<All> read(Map<String, String> variables) {
        return Configuration.read(ROOT, Optional.empty(), Path.of(""), Environment.sources(ROOT, "X", variables));
    }

    @Test
    void sources_takeEverySortOfValue() {
        Configuration<All> read = read(Map.of("X_SERVER_PORT", "7", "X_SERVER_IDLE_TIME", "5s", "X_SERVER_LOUD", "true",
                "X_SERVER_NAMES", "a,b", "X_SERVER_WORD", "12", "X_OTHER", "y", "PATH", "z"));
        assertThat(read.value()).isEqualTo(new All(7, Duration.ofSeconds(5), true, List.of("a", "b"),
                Optional.of(new Secret("12"))));
        assertThat(read.print()).contains("port = 7  # given by X_SERVER_PORT").doesNotContain("\"12\"");
    }

    @Test
    void sources_whenAValueDoesNotFit_isAMistakeOfTheVariable() {
        assertThatThrownBy(() -> read(Map.of("X_SERVER_PORT", "70"))).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("X_SERVER_PORT").hasMessageContaining("server.port");
        assertThatThrownBy(() -> read(Map.of("X_SERVER_LOUD", "maybe"))).hasMessageContaining("server.loud");
    }
}
