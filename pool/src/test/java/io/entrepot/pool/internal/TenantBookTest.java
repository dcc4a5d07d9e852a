package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.Ticker;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.pool.TenantStatus;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a unit of work sees of a tenant is what is so in its transaction, although the row is not read each time. */
class TenantBookTest {
    private static final TenantId ACME = new TenantId("acme");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path root;
    private DataDirectory data;
    private Queues queues;
    private Store store;
    private TenantBook book;

    @BeforeEach
    void open() {
        StoreConfig config = StoreConfig.of(Queues.SCHEMA, Pool.SCHEMA).withSync(false);
        data = DataDirectory.open(root.resolve("data"), config);
        queues = Queues.open(data, config, QueueConfig.DEFAULT);
        store = data.main();
        book = new TenantBook(data, queues, Ticker.system());
        book.create(ACME, TenantLimits.NONE);
    }

    @AfterEach
    void close() {
        queues.close();
        data.close();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private TenantStatus seen() {
        return store.write(Owners.of(ACME), tx -> book.require(tx, ACME)).tenant().status();
    }

    @Test
    void require_afterEachChange_isAsChanged() {
        for (TenantStatus status : new TenantStatus[]{TenantStatus.DISABLED, TenantStatus.SUSPENDED,
                TenantStatus.ENABLED}) {
            seen();
            book.setStatus(ACME, status);
            assertThat(seen()).isEqualTo(status);
        }
    }

    @Test
    void require_whenItIsChangedBesideThoseWhoAsk_isAsChangedFromThenOn() {
        for (int round = 0; round < 20; round++) {
            TenantStatus wanted = round % 2 == 0 ? TenantStatus.DISABLED : TenantStatus.ENABLED;
            seen();
            CountDownLatch over = new CountDownLatch(1);
            Crowd<Boolean> first = Crowd.start(1, _ -> store.write(Owner.SYSTEM, _ -> await(over))).awaitWaiting();
            // They gather meanwhile, in any order, and are committed together.
            Crowd<TenantStatus> before = Crowd.start(3, _ -> seen());
            Crowd<TenantStatus> change = Crowd.start(1, _ -> book.setStatus(ACME, wanted).status());
            Crowd<TenantStatus> after = Crowd.<TenantStatus>start(3, _ -> seen()).awaitWaiting();
            over.countDown();

            assertThat(first.results()).containsExactly(true);
            assertThat(change.results()).containsExactly(wanted);
            assertThat(seen()).isEqualTo(wanted);
            assertThat(before.results()).hasSize(3);
            assertThat(after.results()).hasSize(3);
            assertThat(seen()).isEqualTo(wanted);
        }
    }

    @Test
    void require_whenAChangeFails_isAsBefore() {
        seen();
        assertThatThrownBy(() -> book.write(ACME, tx -> {
            tx.update("UPDATE tenant SET status = ? WHERE name = ?", TenantRow.code(TenantStatus.DISABLED),
                    ACME.name());
            assertThat(book.require(tx, ACME).tenant().status()).isEqualTo(TenantStatus.DISABLED);
            throw new IllegalStateException("no");
        })).hasMessage("no");
        assertThat(seen()).isEqualTo(TenantStatus.ENABLED);
        assertThat(seen()).isEqualTo(TenantStatus.ENABLED);
    }

    @Test
    void require_whenDeleted_isNoLongerThere() {
        seen();
        book.write(ACME, tx -> tx.update("DELETE FROM tenant WHERE id = ?", book.require(tx, ACME).number()));
        assertThatThrownBy(this::seen).isInstanceOf(TenantNotFoundException.class);
    }
}
