package io.entrepot.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.process.FileTask;
import io.entrepot.pool.process.GiveUpException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Methods of beans with files of a real pool. */
class FileHandlersTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId GLOBEX = new TenantId("globex");

    @TempDir
    Path data;
    private Pool pool;

    @BeforeEach
    void open() throws InterruptedException {
        pool = Pool.open(PoolConfig.in(data).withTenants(List.of(ACME, GLOBEX)));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Configuration
    @EnableAutoConfiguration
    static class Application {}

    private ConfigurableApplicationContext run(Class<?> bean, String... properties) {
        return new SpringApplicationBuilder(Application.class, bean).web(WebApplicationType.NONE)
                .properties(properties).properties("spring.main.banner-mode=off").initializers(context -> context
                        .getBeanFactory().registerSingleton("pool", pool))
                .run();
    }

    private FileKey write(TenantId tenant, String text) throws InterruptedException {
        return pool.files().write(tenant, NewFile.named(text + ".txt"), text.getBytes(StandardCharsets.UTF_8)).key();
    }

    static class Kinds {
        final Queue<String> seen = new ConcurrentLinkedQueue<>();

        @FileHandler(tenant = "acme", concurrency = 2)
        void stream(FileInfo file, InputStream content) throws IOException {
            seen.add(file.name().orElseThrow() + "=" + new String(content.readAllBytes(), StandardCharsets.UTF_8));
        }

        @FileHandler(tenant = "${globex.tenant}", concurrencyString = "${globex.concurrency}", term = "90s")
        void bytes(byte[] content, TenantId tenant, FileKey key, FileTask task) {
            assertThat(task.file().key()).isEqualTo(key);
            seen.add(tenant + "=" + new String(content, StandardCharsets.UTF_8));
        }
    }

    @Test
    void files_areGivenAsEachMethodWantsThem() throws InterruptedException {
        write(ACME, "one");
        write(ACME, "two");
        write(GLOBEX, "three");
        try (ConfigurableApplicationContext context = run(Kinds.class, "globex.tenant=globex",
                "globex.concurrency=3")) {
            Kinds kinds = context.getBean(Kinds.class);
            await().untilAsserted(() -> assertThat(kinds.seen).containsExactlyInAnyOrder("one.txt=one", "two.txt=two",
                    "globex=three"));
            await().untilAsserted(() -> assertThat(pool.tenants().usage(ACME).files()).isZero());
            assertThat(context.getBean(FileHandlers.class).status()).hasSize(2);
        }
    }

    static class Several {
        final Queue<TenantId> seen = new ConcurrentLinkedQueue<>();

        @FileHandler(tenant = "${tenants}")
        void handle(TenantId tenant) {
            seen.add(tenant);
        }
    }

    @Test
    void tenants_canBeSeveralInOnePlaceholder() throws InterruptedException {
        write(ACME, "one");
        write(GLOBEX, "two");
        try (ConfigurableApplicationContext context = run(Several.class, "tenants=acme, globex")) {
            await().untilAsserted(() -> assertThat(context.getBean(Several.class).seen)
                    .containsExactlyInAnyOrder(ACME, GLOBEX));
        }
    }

    static class Throwing {

        @FileHandler(tenant = "acme")
        void handle(FileInfo file) throws IOException {
            if (file.name().orElseThrow().startsWith("hopeless")) {
                throw new GiveUpException("never");
            }
            throw new IOException("not today");
        }
    }

    @Test
    void exception_failsTheFile_andGiveUpForGood() throws InterruptedException {
        FileKey later = write(ACME, "later");
        FileKey hopeless = write(ACME, "hopeless");
        try (ConfigurableApplicationContext _ = run(Throwing.class)) {
            await().untilAsserted(() -> {
                assertThat(pool.files().get(ACME, later).attempts()).isPositive();
                assertThat(pool.files().get(ACME, later).lastError()).get().asString().contains("not today");
                assertThat(pool.files().get(ACME, hopeless).status()).isEqualTo(FileStatus.PERMANENTLY_FAILED);
            });
        }
    }

    @Lazy
    static class Slow {
        static final CountDownLatch BEGUN = new CountDownLatch(1);
        static final CountDownLatch MAY_END = new CountDownLatch(1);

        @FileHandler(tenant = "acme")
        void handle(FileTask task) throws InterruptedException {
            BEGUN.countDown();
            MAY_END.await();
        }
    }

    /** Also: a bean that is made only when needed is needed as soon as it wants files. */
    @Test
    void close_waitsForWhatIsBeingHandled() throws InterruptedException {
        write(ACME, "one");
        ConfigurableApplicationContext context = run(Slow.class, "spring.main.lazy-initialization=true");
        Slow.BEGUN.await();
        Thread closing = Thread.ofVirtual().start(context::close);
        await().until(() -> context.getBean(FileHandlers.class).status().values().stream()
                .allMatch(status -> status.state().name().equals("CLOSING")));
        assertThat(closing.isAlive()).isTrue();
        Slow.MAY_END.countDown();
        closing.join();
        assertThat(pool.tenants().usage(ACME).files()).isZero();
    }

    static class Returning {
        @FileHandler(tenant = "acme")
        String handle(FileTask task) {
            return "nobody listens";
        }
    }

    static class Wanting {
        @FileHandler(tenant = "acme")
        void handle(Integer number) {}
    }

    static class TwoContents {
        @FileHandler(tenant = "acme")
        void handle(InputStream one, byte[] two) {}
    }

    @Test
    void signature_whenFilesCannotBeHandedToIt_endsTheStart() {
        for (Class<?> wrong : List.of(Returning.class, Wanting.class, TwoContents.class)) {
            assertThatThrownBy(() -> run(wrong)).isInstanceOf(EntrepotSetupException.class)
                    .hasMessageContaining("@FileHandler").hasMessageContaining(wrong.getSimpleName() + ".handle");
        }
    }

    static class BadTenant {
        @FileHandler(tenant = "ACME")
        void handle(FileTask task) {}
    }

    static class BadNumber {
        @FileHandler(tenant = "acme", concurrencyString = "many")
        void handle(FileTask task) {}
    }

    static class BadPlaceholder {
        @FileHandler(tenant = "${nowhere}")
        void handle(FileTask task) {}
    }

    @Test
    void attribute_whenItIsWrong_endsTheStart() {
        assertThatThrownBy(() -> run(BadTenant.class)).isInstanceOf(EntrepotSetupException.class)
                .hasMessageContaining("did you mean \"acme\"");
        assertThatThrownBy(() -> run(BadNumber.class)).isInstanceOf(EntrepotSetupException.class)
                .hasMessageContaining("\"many\"");
        assertThatThrownBy(() -> run(BadPlaceholder.class)).isInstanceOf(EntrepotSetupException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void handlers_canBeStoppedAndStartedAgain() throws InterruptedException {
        try (ConfigurableApplicationContext context = run(Several.class, "tenants=acme")) {
            FileHandlers handlers = context.getBean(FileHandlers.class);
            handlers.stop();
            assertThat(handlers.status()).isEmpty();
            write(ACME, "one");
            handlers.start();
            await().untilAsserted(() -> assertThat(context.getBean(Several.class).seen).containsExactly(ACME));
        }
    }
}
