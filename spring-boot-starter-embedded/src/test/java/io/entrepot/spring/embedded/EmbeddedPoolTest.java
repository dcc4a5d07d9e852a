package io.entrepot.spring.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.spring.EntrepotSetupException;
import io.entrepot.spring.FileHandler;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application with the pool in its own process. */
class EmbeddedPoolTest {
    private static final TenantId ACME = new TenantId("acme");

    @TempDir
    Path data;

    @Configuration
    @EnableAutoConfiguration
    static class Application {}

    static class Handler {
        final Queue<FileKey> seen = new ConcurrentLinkedQueue<>();

        @FileHandler(tenant = "acme")
        void handle(FileKey key) {
            seen.add(key);
        }
    }

    private ConfigurableApplicationContext run() {
        return new SpringApplicationBuilder(Application.class, Handler.class).web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "entrepot.embedded.directory=" + data,
                        "entrepot.embedded.tenants=acme")
                .run();
    }

    private static Status status(ConfigurableApplicationContext context) {
        return Objects.requireNonNull(context.getBean("entrepotHealthIndicator", HealthIndicator.class).health())
                .getStatus();
    }

    @Test
    void pool_isInThisProcess_withFiguresAndHealth() throws InterruptedException {
        try (ConfigurableApplicationContext context = run()) {
            Pool pool = context.getBean(Pool.class);
            assertThat(context.getBean(FilePool.class)).isSameAs(pool);
            FileKey one = pool.files().write(ACME, NewFile.named("a"), new byte[10]).key();
            await().untilAsserted(() -> assertThat(context.getBean(Handler.class).seen).containsExactly(one));
            assertThat(context.getBean(MeterRegistry.class).getMeters())
                    .anyMatch(meter -> meter.getId().getName().startsWith("entrepot.pool"));
            assertThat(status(context))
                    .isEqualTo(Status.UP);
            pool.volumes().setReadOnly("main");
            assertThat(status(context))
                    .isEqualTo(Status.DOWN);
        }
        Pool.open(data).close(); // nothing holds it any more
    }

    @Test
    void pool_whenAnotherHasItOpen_endsTheStartWithWhy() throws InterruptedException {
        try (Pool _ = Pool.open(data)) {
            assertThatThrownBy(this::run).hasStackTraceContaining(EntrepotSetupException.class.getName())
                    .hasStackTraceContaining("cannot be opened");
        }
    }
}
