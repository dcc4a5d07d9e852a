package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.config.Configuration;
import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Reference;
import io.entrepot.config.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerSettingsTest {
    private static final Path REFERENCE = Path.of("../docs/configuration.md");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void reference_isWhatIsKept() throws IOException {
        String now = Reference.markdown("Configuration", ServerSettings.ROOT);
        if (Boolean.getBoolean("reference.write")) {
            Files.writeString(REFERENCE, now);
        }
        assertThat(now).as("the settings have changed: run this test with -Dreference.write=true to write"
                + " docs/configuration.md anew").isEqualTo(Files.readString(REFERENCE));
    }

    @Test
    void read_takesFlagsOverTheEnvironmentOverTheFile() throws IOException {
        Path file = Files.writeString(directory.resolve("e.toml"), """
                                                                   directory = "d"
                                                                   [server]
                                                                   host = "0.0.0.0"
                                                                   port = 1
                                                                   drain-time = "3s"
                                                                   cors-origins = ["https://a.example"]
                                                                   """);
        Configuration<ServerConfig> read = ServerSettings.read(Optional.of(file), Map.of("ENTREPOT_SERVER_PORT", "2",
                "ENTREPOT_SERVER_HOST", "::1", "ENTREPOT_SERVER_LOG_REQUESTS", "true", "ENTREPOT_SERVER_CORS_ORIGINS",
                "https://b.example,https://c.example", "ENTREPOT_OTHER", "x"),
                List.of(new Source("--port", Map.of("server.port", 3))));
        ServerConfig config = read.value();
        assertThat(config.port()).isEqualTo(3);
        assertThat(config.host()).isEqualTo("::1");
        assertThat(config.drainTime()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.logRequests()).isTrue();
        assertThat(config.corsOrigins()).containsExactly("https://b.example", "https://c.example");
        assertThat(config.pool().directory()).isEqualTo(directory.resolve("d"));
        assertThat(read.print()).contains("port = 3  # given by --port").contains("ENTREPOT_SERVER_HOST")
                .contains("e.toml:5");
    }

    @Test
    void read_whenSomethingIsWrong_saysWhere() {
        assertThatThrownBy(() -> ServerSettings.read(Optional.empty(), Map.of("ENTREPOT_SERVER_PORT", "many"),
                List.of())).isInstanceOf(ConfigurationException.class).hasMessageContaining("ENTREPOT_SERVER_PORT")
                .hasMessageContaining("server.port");
        assertThatThrownBy(() -> ServerSettings.read(Optional.empty(), Map.of(), List.of(new Source("test",
                Map.of("server.tls.certificate", "x"))))).hasMessageContaining("a certificate and its key");
    }

    @Test
    void defaults_listenOnThisMachineOnly() {
        ServerConfig config = ServerConfig.in(directory);
        assertThat(config.host()).isEqualTo("127.0.0.1");
        assertThat(config.corsOrigins()).isEmpty();
        assertThat(config.tls()).isEmpty();
    }
}
