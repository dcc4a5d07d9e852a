package io.entrepot.queue.contract;

import org.junit.jupiter.api.Nested;

/** The queues on PostgreSQL: how an item goes its way. The rest is in {@link PostgresQueuesOperationTest}, so that two JVMs can share the work. */
class PostgresQueuesTest {

    @Nested
    class Order extends OrderContract {
        Order() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Claims extends ClaimContract {
        Claims() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class NamedClaims extends NamedClaimContract {
        NamedClaims() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Renewals extends RenewContract {
        Renewals() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Endings extends EndContract {
        Endings() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Retries extends RetryContract {
        Retries() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Expiry extends ExpiryContract {
        Expiry() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Witnesses extends WitnessContract {
        Witnesses() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Waits extends WaitContract {
        Waits() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Closing extends CloseContract {
        Closing() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Composed extends ComposeContract {
        Composed() {
            super(PostgresFixture::new);
        }
    }
}
