package io.entrepot.pool;

import io.entrepot.pool.process.Processing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where processings of this process tell what goes wrong. */
enum ProcessLog implements Processing.Log {
    INSTANCE;

    private static final Logger LOG = LoggerFactory.getLogger(Processing.class);

    @Override
    public void warn(String words) {
        LOG.warn("{}", words);
    }

    @Override
    public void error(String words, Throwable cause) {
        LOG.error("{}", words, cause);
    }
}
