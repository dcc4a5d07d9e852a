package io.entrepot.pool.contract;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** What the pool promises of files, when their only volume is in a bucket. */
class BucketPoolTest {

    @Nested
    class Files extends FileContract {
        Files() {
            super(PoolFixture.SQLITE);
        }

        @BeforeEach
        void move() throws Exception {
            new OnBucket().takeOver(this);
        }
    }

    @Nested
    class Uploads extends UploadContract {
        Uploads() {
            super(PoolFixture.SQLITE);
        }

        @BeforeEach
        void move() throws Exception {
            new OnBucket().takeOver(this);
        }
    }

    @Nested
    class Work extends WorkContract {
        Work() {
            super(PoolFixture.SQLITE);
        }

        @BeforeEach
        void move() throws Exception {
            new OnBucket().takeOver(this);
        }
    }

    @Nested
    class Quotas extends QuotaContract {
        Quotas() {
            super(PoolFixture.SQLITE);
        }

        @BeforeEach
        void move() throws Exception {
            new OnBucket().takeOver(this);
        }
    }
}
