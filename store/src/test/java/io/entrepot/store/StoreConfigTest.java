package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lease.ManualTicker;
import io.entrepot.lease.Nonces;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreConfigTest {

    @Test
    void of_hasTheseDefaults() {
        StoreConfig config = StoreConfig.of();
        assertThat(config.schemas()).isEmpty();
        assertThat(config.sync()).isTrue();
        assertThat(config.limits()).isEqualTo(
                new GroupLimits(1024, 8 << 20, Duration.ofMillis(20), Duration.ofNanos(150_000)));
        assertThat(config.readers()).isEqualTo(4);
        assertThat(config.walBytes()).isEqualTo(64 << 20);
        assertThat(config.headroom()).isEqualTo(32 << 20);
        assertThat(config.space()).isSameAs(FreeSpace.SYSTEM);
        assertThat(config.faults()).isSameAs(Faults.NONE);
    }

    @Test
    void with_setsOneThingEach() {
        Schema schema = new Schema("a", Store.class, 1);
        GroupLimits limits = new GroupLimits(1, 1, Duration.ofNanos(1), Duration.ZERO);
        InstantSource wall = () -> Instant.EPOCH;
        ManualTicker ticker = new ManualTicker();
        Nonces nonces = Nonces.seeded(1);
        Faults faults = _ -> {};
        FreeSpace space = _ -> 1;
        assertThat(StoreConfig.of().withSchemas(List.of(schema)).withSync(false).withLimits(limits).withReaders(9)
                .withWalBytes(1 << 20).withHeadroom(0).withSpace(space).withClocks(wall, ticker).withNonces(nonces)
                .withFaults(faults))
                .isEqualTo(new StoreConfig(List.of(schema), false, limits, 9, 1 << 20, 0, space, wall, ticker, nonces,
                        faults));
    }

    @Test
    void config_whenItMakesNoSense_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> StoreConfig.of().withReaders(0));
        assertThatIllegalArgumentException().isThrownBy(() -> StoreConfig.of().withWalBytes((1 << 20) - 1));
        assertThatIllegalArgumentException().isThrownBy(() -> StoreConfig.of().withHeadroom(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GroupLimits(0, 1, Duration.ofNanos(1), Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GroupLimits(1, 0, Duration.ofNanos(1), Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> new GroupLimits(1, 1, Duration.ZERO, Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GroupLimits(1, 1, Duration.ofNanos(1), Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Cost(0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Cost(1, -1));
    }
}
