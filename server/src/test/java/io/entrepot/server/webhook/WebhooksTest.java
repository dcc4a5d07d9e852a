package io.entrepot.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.store.StoreConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhooksTest {
    private static final WebhookConfig CONFIG = new WebhookConfig(Duration.ofSeconds(1), 1, Duration.ofSeconds(1),
            Duration.ofSeconds(1), 1 << 20, 1, false);

    private static Webhook changed(Webhook before, SigningSecret secret, boolean enabled) {
        return new Webhook(before.id(), before.name(), before.url(), before.filter(), secret, enabled,
                before.created(), before.version(), before.standing());
    }

    private static Webhook changed(Webhooks webhooks, String id, SigningSecret secret) {
        try {
            return webhooks.change(id, before -> changed(before, secret, before.enabled())).orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void change_whenAnotherComesBetween_keepsBoth(@TempDir Path directory) throws Exception {
        StoreConfig store = StoreConfig.of(WebhookBook.SCHEMA).withSync(false);
        PoolConfig config = PoolConfig.in(directory).withPlatform(PoolConfig.Platform.system().withStore(store));
        try (Pool pool = Pool.open(config);
                Webhooks webhooks = new Webhooks(pool, () -> CONFIG, store)) {
            String id = webhooks.create("test", URI.create("http://192.0.2.1/"), EventFilter.all(), true,
                    Optional.empty()).id();
            SigningSecret renewed = SigningSecret.random();
            Webhook after = webhooks.change(id, before -> {
                if (before.version() == 1) {
                    changed(webhooks, id, renewed);
                }
                return changed(before, before.secret(), false);
            }).orElseThrow();
            assertThat(after.secret()).isEqualTo(renewed);
            assertThat(after.enabled()).isFalse();
            assertThat(after.version()).isEqualTo(3);

            assertThat(webhooks.change(id, before -> {
                webhooks.remove(id);
                return before;
            })).isEmpty();
        }
    }
}
