package io.entrepot.client;

import io.entrepot.pool.process.Processing;

/** Where this client tells what goes wrong and nobody is told by an exception: Java's own logger, so that it needs no other. */
enum ClientLog implements Processing.Log {
    INSTANCE;

    private static final System.Logger LOG = System.getLogger("io.entrepot.client");

    @Override
    public void warn(String words) {
        LOG.log(System.Logger.Level.WARNING, words);
    }

    @Override
    public void error(String words, Throwable cause) {
        LOG.log(System.Logger.Level.ERROR, words, cause);
    }
}
