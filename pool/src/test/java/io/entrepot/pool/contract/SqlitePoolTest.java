package io.entrepot.pool.contract;

import org.junit.jupiter.api.Nested;

/** The pool on SQLite. */
class SqlitePoolTest {

    @Nested
    class Files extends FileContract {
        Files() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Work extends WorkContract {
        Work() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class TenantStates extends TenantContract {
        TenantStates() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Quotas extends QuotaContract {
        Quotas() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Volumes extends VolumeContract {
        Volumes() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Drains extends DrainContract {
        Drains() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class GivingUp extends GiveUpContract {
        GivingUp() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Cleaning extends CleanupContract {
        Cleaning() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Processes extends ProcessContract {
        Processes() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Listens extends ListenContract {
        Listens() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Watchers extends WatcherContract {
        Watchers() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Imports extends ImportContract {
        Imports() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class KeptSources extends KeptSourceContract {
        KeptSources() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class ImportTroubles extends ImportTroubleContract {
        ImportTroubles() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Uploads extends UploadContract {
        Uploads() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Checks extends CheckContract {
        Checks() {
            super(PoolFixture.SQLITE);
        }
    }

    @Nested
    class Histories extends HistoryContract {
        Histories() {
            super(PoolFixture.SQLITE);
        }
    }
}
