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

    @Nested
    class Renewals extends RenewContract {
        Renewals() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Endings extends EndContract {
        Endings() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Retries extends RetryContract {
        Retries() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Expiry extends ExpiryContract {
        Expiry() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Operators extends OperatorContract {
        Operators() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Keys extends KeyContract {
        Keys() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Waits extends WaitContract {
        Waits() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Clockwork extends ClockworkContract {
        Clockwork() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Closing extends CloseContract {
        Closing() {
            super(SqliteFixture::new);
        }
    }
}
