package io.entrepot.server;

import io.entrepot.server.trace.Tracing;

/**
 * What a server runs with now. Whoever reads a setting that a reload can change asks for it each time. Safe for use by many
 * threads: each is replaced as a whole, by {@link Reloading} alone.
 */
final class Running {
    private volatile ServerConfig config;
    private volatile Tracing tracing = Tracing.OFF;

    Running(ServerConfig first) {
        config = first;
    }

    ServerConfig config() {
        return config;
    }

    Tracing tracing() {
        return tracing;
    }

    void config(ServerConfig next) {
        config = next;
    }

    /** The one before is the answer, to be closed. */
    Tracing tracing(Tracing next) {
        Tracing before = tracing;
        tracing = next;
        return before;
    }
}
