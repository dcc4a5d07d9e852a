package io.entrepot.queue.contract;

import org.junit.jupiter.api.Nested;

/** The queues on PostgreSQL: claims made ahead, what operators do, keys, what is told of items, many at once. See {@link PostgresQueuesTest}. */
class PostgresQueuesOperationTest {

    @Nested
    class Ahead extends AheadContract {
        Ahead() {
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
    class Clockwork extends ClockworkContract {
        Clockwork() {
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
