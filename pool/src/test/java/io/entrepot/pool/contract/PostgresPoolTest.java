package io.entrepot.pool.contract;

import org.junit.jupiter.api.Nested;

/** The pool on PostgreSQL. */
class PostgresPoolTest {

    @Nested
    class Files extends FileContract {
        Files() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Work extends WorkContract {
        Work() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class TenantStates extends TenantContract {
        TenantStates() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Quotas extends QuotaContract {
        Quotas() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Volumes extends VolumeContract {
        Volumes() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Drains extends DrainContract {
        Drains() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class GivingUp extends GiveUpContract {
        GivingUp() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Cleaning extends CleanupContract {
        Cleaning() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Processes extends ProcessContract {
        Processes() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Listens extends ListenContract {
        Listens() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Watchers extends WatcherContract {
        Watchers() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Imports extends ImportContract {
        Imports() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class KeptSources extends KeptSourceContract {
        KeptSources() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class ImportTroubles extends ImportTroubleContract {
        ImportTroubles() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Uploads extends UploadContract {
        Uploads() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Checks extends CheckContract {
        Checks() {
            super(PoolFixture.POSTGRES);
        }
    }

    @Nested
    class Histories extends HistoryContract {
        Histories() {
            super(PoolFixture.POSTGRES);
        }
    }
}
