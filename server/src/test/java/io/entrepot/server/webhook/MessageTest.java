package io.entrepot.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.store.Incarnation;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageTest {
    private static final Instant NOW = Instant.parse("2030-01-31T12:00:00Z");
    private static final Webhook WEBHOOK = new Webhook("wh1", "test", URI.create("http://example.org/"),
            EventFilter.all(), new SigningSecret("whsec_1"), true, NOW, 1, new Webhook.Standing(EventCursor.BEGINNING,
                    "", 0, NOW, 0, 0, Optional.empty(), Optional.empty(), ""));

    private static PoolEvent event(String text) {
        return new PoolEvent("main", 17, NOW, Optional.empty(), "file.failed", "key", Map.of("error", text));
    }

    @Test
    void message_ofALargeEvent_comesWithoutItsBody() {
        Incarnation life = new Incarnation(1, "life");
        assertThat(Message.of(WEBHOOK, event("small"), life, 1000).text()).contains("\"small\"")
                .doesNotContain("bodyOmitted");
        Message cut = Message.of(WEBHOOK, event("x".repeat(2000)), life, 1000);
        assertThat(cut.text()).hasSizeLessThan(1000).contains("\"bodyOmitted\":true").contains("\"number\":17")
                .doesNotContain("xxx");
    }

    @Test
    void id_isTheSameForTheSameEventOnly() {
        Incarnation life = new Incarnation(1, "life");
        assertThat(Message.id(event("a"), life)).isEqualTo(Message.id(event("b"), life)).isEqualTo("life.main.17");
        assertThat(Message.id(event("a"), new Incarnation(2, "other"))).isNotEqualTo(Message.id(event("a"), life));
    }

    /** The numbers were computed by another program. */
    @Test
    void signature_isWhatOthersCompute() {
        assertThat(new SigningSecret("whsec_test").sign(Instant.ofEpochSecond(1_893_456_000), "{\"a\":1}".getBytes(
                java.nio.charset.StandardCharsets.UTF_8)))
                .isEqualTo("t=1893456000,v1=f8edf24fd0e0a2761c910c1503c53e2a5bb842d34b1175e182792d705196b74a");
        assertThat(new SigningSecret("whsec_test").toString()).doesNotContain("test");
    }

    @Test
    void delay_doublesUpToTheLongest() {
        WebhookConfig config = new WebhookConfig(Duration.ofSeconds(1), 12, Duration.ofSeconds(1),
                Duration.ofMinutes(10), 1000, 10, false);
        assertThat(config.delay(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.delay(2)).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.delay(10)).isEqualTo(Duration.ofSeconds(512));
        assertThat(config.delay(11)).isEqualTo(Duration.ofMinutes(10));
        assertThat(config.delay(10_000)).isEqualTo(Duration.ofMinutes(10));
    }
}
