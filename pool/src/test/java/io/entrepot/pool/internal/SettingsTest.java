package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.Location;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.VolumeState;
import io.entrepot.queue.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Settings as a text, and back. */
class SettingsTest {

    @Property(tries = 200)
    void decode_whateverWasEncoded_isTheSame(@ForAll("settings") Settings settings) {
        assertThat(Settings.decode(settings.encode())).contains(settings);
    }

    @Provide
    Arbitrary<Settings> settings() {
        return Combinators.combine(Arbitraries.longs().greaterOrEqual(0), tenants().list().ofMaxSize(3),
                rules().list().ofMaxSize(3), volumes().list().ofMaxSize(3),
                watchers().list().ofMaxSize(3).optional()).as(Settings::new);
    }

    private static Arbitrary<OptionalLong> limits() {
        return Arbitraries.longs().greaterOrEqual(0).optional()
                .map(value -> value.isPresent() ? OptionalLong.of(value.get()) : OptionalLong.empty());
    }

    private static Arbitrary<Instant> times() {
        return Arbitraries.longs().between(0, 4_000_000_000_000L).map(Instant::ofEpochMilli);
    }

    private static Arbitrary<Tenant> tenants() {
        Arbitrary<Optional<RetryPolicy>> retries = Combinators.combine(Arbitraries.longs().between(1, 1000),
                Arbitraries.integers().between(1, 100), Arbitraries.of(true, false))
                .as((millis, attempts, exponential) -> new RetryPolicy(Duration.ofMillis(millis),
                        Duration.ofMillis(millis * 10), attempts, exponential))
                .optional();
        return Combinators.combine(Arbitraries.of("a", "tenant-1", "x.y_z"), Arbitraries.of(TenantStatus.class),
                Arbitraries.of(true, false), limits(), limits(), retries, times(), Arbitraries.of(true, false))
                .as((name, status, paused, files, bytes, retry, created, sharded) -> new Tenant(new TenantId(name),
                        status, paused, new TenantLimits(files, bytes, 33), retry, created, sharded));
    }

    private static Arbitrary<QuotaRule> rules() {
        return Combinators.combine(Arbitraries.of("a/**", "t*/b c\td", "back\\slash\nline"),
                Arbitraries.longs().greaterOrEqual(0), Arbitraries.integers().between(0, 100),
                Arbitraries.of(true, false), Arbitraries.of(true, false)).as(QuotaRule::new);
    }

    private static Arbitrary<Settings.Volume> volumes() {
        return Combinators
                .combine(Arbitraries.longs().between(1, 99),
                        Arbitraries.of("/a", "/with space", "/t\tab\\n", "s3:bucket/prefix"),
                        Arbitraries.of(VolumeState.class), Arbitraries.integers().between(0, 3), times())
                .as((number, path, state, depth, mounted) -> new Settings.Volume(number, "v" + number, "id" + number,
                        Location.parse(path), state, depth, number * 7, mounted));
    }

    private static Arbitrary<Settings.Watcher> watchers() {
        return Arbitraries.of("", "-", "=", "a b", "t\tab\\n", "line\nline").optional().list().ofMinSize(1).ofMaxSize(5)
                .map(Settings.Watcher::new);
    }

    @Example
    void decode_whenAByteIsOtherOrMissing_isNothing() {
        String text = new Settings(7, List.of(), List.of(QuotaRule.of("acme", 10)), List.of(), Optional.of(List.of()))
                .encode();

        assertThat(Settings.decode(text)).isPresent();
        for (int i = 0; i < text.length(); i++) {
            assertThat(Settings.decode(text.substring(0, i))).isEmpty();
            assertThat(Settings.decode(text.substring(0, i) + (char) (text.charAt(i) ^ 1) + text.substring(i + 1)))
                    .isEmpty();
        }
        assertThat(Settings.decode(text.replace("settings 1", "settings 2"))).isEmpty();
    }
}
