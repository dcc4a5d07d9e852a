package io.entrepot.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.PostgresServer;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.lease.ManualTicker;
import io.entrepot.store.Owner;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who delivers, on a database that several servers share. */
class TurnTest {

    private static int step(Store store, Turn turn) {
        return store.write(Owner.SYSTEM, tx -> {
            turn.require(tx);
            return 1;
        });
    }

    @Test
    void turn_isHadByOne_andWhoHasLostItCanWriteNothing() throws Exception {
        String schema = "turns_" + Long.toHexString(System.nanoTime());
        PostgresConfig where = PostgresConfig.of(PostgresServer.shared().url(schema), PostgresServer.USER, "")
                .withSchema(schema);
        ManualTicker ticker = new ManualTicker();
        try (Store store = Postgres.open(where, StoreConfig.of(WebhookBook.SCHEMA))) {
            Turn first = Turn.take(store, ticker, "wh1", "first").orElseThrow();
            assertThat(Turn.take(store, ticker, "wh1", "second")).isEmpty();
            assertThat(Turn.take(store, ticker, "wh2", "second")).isPresent();
            assertThat(step(store, first)).isEqualTo(1);
            assertThat(first.keep()).isTrue();

            first.close();
            Optional<Turn> second = Turn.take(store, ticker, "wh1", "second");
            assertThat(second).isPresent();
            assertThat(first.mayAct()).isFalse();
            assertThatThrownBy(() -> step(store, first)).isInstanceOf(LeaseLostException.class);
            assertThat(step(store, second.get())).isEqualTo(1);

            ticker.advance(Duration.ofMinutes(1));
            assertThat(second.get().mayAct()).isFalse();
        }
    }
}
