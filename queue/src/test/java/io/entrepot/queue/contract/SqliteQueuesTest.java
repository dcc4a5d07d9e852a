package io.entrepot.queue.contract;

import org.junit.jupiter.api.Nested;

/** The queues on SQLite. */
class SqliteQueuesTest {

    @Nested
    class Order extends OrderContract {
        Order() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Claims extends ClaimContract {
        Claims() {
            super(SqliteFixture::new);
        }
    }
}
