package io.entrepot.queue.contract;

import org.junit.jupiter.api.Nested;

/** The queues on PostgreSQL. */
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
    class Operators extends OperatorContract {
        Operators() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class OperatorSteps extends OperatorStepsContract {
        OperatorSteps() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Keys extends KeyContract {
        Keys() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class ClaimKeys extends ClaimKeyContract {
        ClaimKeys() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Numbers extends NumberContract {
        Numbers() {
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
    class Clockwork extends ClockworkContract {
        Clockwork() {
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
    class History extends HistoryContract {
        History() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Listings extends ListContract {
        Listings() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Finding extends FindContract {
        Finding() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Composed extends ComposeContract {
        Composed() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Fairness extends FairnessContract {
        Fairness() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        Concurrency() {
            super(PostgresFixture::new, 2_000);
        }
    }
}
