package io.entrepot.store.contract;

import org.junit.jupiter.api.Nested;

/** The contract on PostgreSQL. */
class PostgresContractTest {

    @Nested
    class Writes extends WriteContract {
        Writes() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Combined extends CombinedContract {
        Combined() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Effects extends EffectsContract {
        Effects() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Others extends MeanwhileContract {
        Others() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Reads extends ReadContract {
        Reads() {
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
    class Failures extends FailureContract {
        Failures() {
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
    class Outbox extends EventsContract {
        Outbox() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Counters extends CountersContract {
        Counters() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class LeaseTable extends LeasesContract {
        LeaseTable() {
            super(PostgresFixture::new);
        }
    }

    @Nested
    class Time extends TimeContract {
        Time() {
            super(PostgresFixture::new);
        }
    }
}
