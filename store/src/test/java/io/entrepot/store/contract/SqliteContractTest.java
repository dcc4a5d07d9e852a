package io.entrepot.store.contract;

import org.junit.jupiter.api.Nested;

/** The contract on SQLite. */
class SqliteContractTest {

    @Nested
    class Writes extends WriteContract {
        Writes() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Combined extends CombinedContract {
        Combined() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Effects extends EffectsContract {
        Effects() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Others extends MeanwhileContract {
        Others() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Reads extends ReadContract {
        Reads() {
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
    class Failures extends FailureContract {
        Failures() {
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
    class Outbox extends EventsContract {
        Outbox() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Counters extends CountersContract {
        Counters() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class LeaseTable extends EmbeddedLeasesContract {
        LeaseTable() {
            super(SqliteFixture::new);
        }
    }

    @Nested
    class Time extends TimeContract {
        Time() {
            super(SqliteFixture::new);
        }
    }
}
