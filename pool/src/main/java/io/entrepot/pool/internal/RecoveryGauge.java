package io.entrepot.pool.internal;

import io.entrepot.pool.RecoveryProgress;
import io.entrepot.pool.RecoveryWatch;

/** Counts what a recovery has come to, and tells it to whoever watches and may end it there. For one thread. */
final class RecoveryGauge {
    private final RecoveryWatch watch;
    private String doing = "";
    private long files;
    private long rebuilt;
    private long bytes;

    RecoveryGauge(RecoveryWatch watch) {
        this.watch = watch;
    }

    void begin(String what) throws InterruptedException {
        doing = what;
        files = 0;
        tell();
    }

    /** One more file was looked at. */
    void seen() throws InterruptedException {
        files++;
        tell();
    }

    /** Told with the next file. */
    void rebuilt(long size) {
        rebuilt++;
        bytes += size;
    }

    /** Something takes long. */
    void tell() throws InterruptedException {
        watch.at(new RecoveryProgress(doing, files, rebuilt, bytes));
    }
}
