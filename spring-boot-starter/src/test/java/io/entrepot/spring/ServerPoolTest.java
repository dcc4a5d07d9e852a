package io.entrepot.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.entrepot.client.EntrepotClient;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.TenantId;
import io.entrepot.server.Server;
import io.entrepot.server.ServerConfig;
import io.entrepot.server.access.Secret;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application and a real server. */
@ExtendWith(OutputCaptureExtension.class)
class ServerPoolTest {
    @TempDir
    Path data;
    private Server server;
    private String key;

    @BeforeEach
    void start() throws InterruptedException {
        server = Server.start(ServerConfig.in(data).withPort(0));
        key = server.firstKey().map(Secret::written).orElseThrow();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Configuration
    @EnableAutoConfiguration
    static class Application {}

    static class Handler {
        final Queue<FileKey> seen = new ConcurrentLinkedQueue<>();

        @FileHandler
        void handle(FileKey key) {
            seen.add(key);
        }
    }

    private static ConfigurableApplicationContext run(Class<?> bean, String... properties) {
        return new SpringApplicationBuilder(Application.class, bean).web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "management.endpoints.jmx.exposure.include=*",
                        "spring.jmx.enabled=true",
                        "management.endpoint.env.show-values=always",
                        "management.endpoint.configprops.show-values=always")
                .properties(properties).run();
    }

    private ConfigurableApplicationContext connected(String secret) {
        return run(Handler.class, "entrepot.server.url=" + server.address(), "entrepot.server.key=" + secret,
                "entrepot.server.deadline=2s");
    }

    @Test
    void pool_isTheServers_andItsFilesAreHandled() throws InterruptedException {
        try (ConfigurableApplicationContext context = connected(key)) {
            FilePool pool = context.getBean(FilePool.class);
            assertThat(pool).isInstanceOf(EntrepotClient.class);
            FileKey one = pool.files().write(TenantId.DEFAULT, NewFile.named("a"), new byte[10]).key();
            FileKey two = pool.files().write(TenantId.DEFAULT, NewFile.named("b"), new byte[20]).key();
            await().untilAsserted(() -> assertThat(context.getBean(Handler.class).seen).containsExactlyInAnyOrder(one,
                    two));
            await().untilAsserted(() -> assertThat(context.getBean(MeterRegistry.class).get("entrepot.handle")
                    .tag("tenant", "default").timer().count()).isEqualTo(2));
        }
    }

    @Test
    void health_tellsWhetherTheServerWorksAndTakesTheKey() {
        try (ConfigurableApplicationContext context = connected(key)) {
            HealthIndicator health = context.getBean("entrepotHealthIndicator", HealthIndicator.class);
            assertThat(Objects.requireNonNull(health.health()).getStatus()).isEqualTo(Status.UP);
            server.close();
            assertThat(Objects.requireNonNull(health.health()).getStatus()).isEqualTo(Status.DOWN);
            assertThat(Objects.requireNonNull(health.health()).getDetails()).containsEntry("code",
                    "pool.unavailable.unreachable");
        }
    }

    @Test
    void health_whenTheKeyIsNotTaken_isDown() {
        try (ConfigurableApplicationContext context = connected("ek_wrong")) {
            HealthIndicator health = context.getBean("entrepotHealthIndicator", HealthIndicator.class);
            assertThat(Objects.requireNonNull(health.health()).getStatus()).isEqualTo(Status.DOWN);
        }
    }

    @Test
    void key_isNotShownWhereValuesAre() {
        try (ConfigurableApplicationContext context = connected(key)) {
            assertThat(Objects.requireNonNull(context.getBean(EnvironmentEndpoint.class)
                    .environmentEntry("entrepot.server.key").getProperty()).getValue()).isEqualTo("******");
            assertThat(context.getBean(ConfigurationPropertiesReportEndpoint.class).configurationProperties()
                    .getContexts().values().toString()).doesNotContain(key);
            assertThat(context.getBean(EntrepotProperties.class).toString()).contains(server.address())
                    .doesNotContain(key);
        }
    }

    @Test
    void key_whenThereIsNone_endsTheStartWithWhatToDo(CapturedOutput output) {
        assertThatThrownBy(() -> run(Handler.class, "entrepot.server.url=" + server.address()))
                .hasRootCauseInstanceOf(EntrepotSetupException.class);
        assertThat(output).contains("APPLICATION FAILED TO START", "entrepot.server.key is not set", "Action:");
    }

    @Test
    void handler_whenThereIsNoPool_endsTheStartWithWhatToDo(CapturedOutput output) {
        assertThatThrownBy(() -> run(Handler.class)).isInstanceOf(EntrepotSetupException.class);
        assertThat(output).contains("APPLICATION FAILED TO START", "there is no pool", "entrepot.embedded.directory");
    }

    @Test
    void both_areRefused() {
        assertThatThrownBy(() -> run(Handler.class, "entrepot.server.url=" + server.address(),
                "entrepot.embedded.directory=" + data))
                .hasRootCauseInstanceOf(EntrepotSetupException.class).rootCause().hasMessageContaining("Both");
    }

    /** The module with the pool in this process is not among this one's dependencies. */
    @Test
    void embedded_whenItIsNotOnTheClassPath_endsTheStartWithWhatToDo(CapturedOutput output) {
        assertThatThrownBy(() -> run(Handler.class, "entrepot.embedded.directory=" + data))
                .hasRootCauseInstanceOf(EntrepotSetupException.class);
        assertThat(output).contains("the pool is not on the class path", "io.entrepot:spring-boot-starter-embedded");
    }

    @Test
    void embedded_whenJavaIsOlder_saysSo() {
        assertThat(EmbeddedAbsence.on(17)).hasMessageContaining("needs Java 25, and this is Java 17");
    }
}
