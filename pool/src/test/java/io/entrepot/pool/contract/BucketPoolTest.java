package io.entrepot.pool.contract;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** What the pool promises of files, when their only volume is in a bucket. */
class BucketPoolTest {

    @Nested
    class Files extends FileContract {
        private final OnBucket bucket = new OnBucket();

        Files() {
            super(PoolFixture.SQLITE);
        }

        @BeforeEach
        void move() throws Exception {
            storage = bucket;
            config = bucket.config(config);
            pool = bucket.opened(pool, config);
        }
    }

    @Nested
    class Uploads extends UploadContract {
        private final OnBucket bucket = new OnBucket();

        Uploads() {
            super(PoolFixture.SQLITE);
        }

        @BeforeEach
        void move() throws Exception {
            storage = bucket;
            config = bucket.config(config);
            pool = bucket.opened(pool, config);
        }
    }

    @Nested
    class Work extends WorkContract {
        private final OnBucket bucket = new OnBucket();

        Work() {
            super(PoolFixture.SQLITE);
        }

        @BeforeEach
        void move() throws Exception {
            storage = bucket;
            config = bucket.config(config);
            pool = bucket.opened(pool, config);
        }
    }

    @Nested
    class Quotas extends QuotaContract {
        private final OnBucket bucket = new OnBucket();

        Quotas() {
            super(PoolFixture.SQLITE);
        }

        @BeforeEach
        void move() throws Exception {
            storage = bucket;
            config = bucket.config(config);
            pool = bucket.opened(pool, config);
        }
    }
}
