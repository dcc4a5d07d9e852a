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
    class Ahead extends AheadContract {
        Ahead() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class NamedClaims extends NamedClaimContract {
        NamedClaims() {
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
    class Witnesses extends WitnessContract {
        Witnesses() {
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
    class OperatorSteps extends OperatorStepsContract {
        OperatorSteps() {
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
    class ClaimKeys extends ClaimKeyContract {
        ClaimKeys() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Numbers extends NumberContract {
        Numbers() {
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

    @Nested
    class History extends HistoryContract {
        History() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Listings extends ListContract {
        Listings() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Finding extends FindContract {
        Finding() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Composed extends ComposeContract {
        Composed() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Fairness extends FairnessContract {
        Fairness() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        Concurrency() {
            super(SqliteFixture::new, 20_000);
        }
    }
}
