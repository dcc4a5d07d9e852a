package io.entrepot.server.webhook;

import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import java.time.Duration;
import java.util.List;

/** The table {@code [server.webhooks]}. */
public final class WebhookSettings {
    private static final Setting<Duration> TIMEOUT = Setting.of("timeout",
            Kind.duration(Duration.ofMillis(10), Duration.ofMinutes(10)),
            "How long a receiver may take to answer, from the first try to connect.").or(Duration.ofSeconds(10))
            .tooSmall("slow receivers are told the same again.").tooLarge("a receiver that hangs falls far behind.")
            .reloadable();
    private static final Setting<Integer> ATTEMPTS = Setting.of("attempts", Kind.whole(1, 10_000),
            "How often an event is tried before it goes to the dead letters and the next one is sent.").or(12)
            .tooSmall("a receiver that is restarted misses events.")
            .tooLarge("one event that is never taken holds up those behind it for so long.").reloadable();
    private static final Setting<Duration> FIRST = Setting.of("first-delay",
            Kind.duration(Duration.ofMillis(1), Duration.ofHours(1)),
            "How long to wait after the first failure; twice as long after each further one.")
            .or(Duration.ofSeconds(1)).reloadable();
    private static final Setting<Duration> LONGEST = Setting.of("longest-delay",
            Kind.duration(Duration.ofMillis(1), Duration.ofDays(1)), "But never longer than this.")
            .or(Duration.ofMinutes(10)).reloadable();
    private static final Setting<Long> BODY = Setting.of("max-body", Kind.bytes(1 << 10, 4 << 20),
            "How large a message may be; of a larger event only the head is sent.").or(256L << 10).reloadable();
    private static final Setting<Integer> DEAD = Setting.of("dead-letters", Kind.whole(1, 1_000_000),
            "How many dead letters are kept for each webhook; the oldest go.").or(10_000).reloadable();
    private static final Setting<Boolean> LOCAL = Setting.of("allow-local", Kind.truth(),
            "Whether webhooks may go to this machine (loopback) and to link-local addresses, where clouds keep secrets.")
            .or(false).reloadable();

    public static final Section<WebhookConfig> SECTION = new Section<>("webhooks", "How events are sent to webhooks.",
            List.of(TIMEOUT, ATTEMPTS, FIRST, LONGEST, BODY, DEAD, LOCAL), WebhookSettings::read);

    private WebhookSettings() {}

    private static WebhookConfig read(Values values) {
        return new WebhookConfig(values.get(TIMEOUT), values.get(ATTEMPTS), values.get(FIRST), values.get(LONGEST),
                values.get(BODY), values.get(DEAD), values.get(LOCAL));
    }
}
