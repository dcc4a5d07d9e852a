package io.entrepot.pool.process;

import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileLeaseLostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A file that a handler has, as long as its lease lasts; that is renewed by itself. Safe for use by many threads. */
public interface FileTask {

    FileInfo file();

    /** For steps that carry it elsewhere. Ending it is not the handler's business. */
    FileLease lease();

    /**
     * Its bytes, to be closed by the handler. If the volume cannot be read now, or goes away while it is read, and the handler
     * lets that exception pass, the file is not failed but put off: it is no fault of the file's. So is whatever a handler
     * throws while the volume does not work.
     */
    FileContent open() throws InterruptedException;

    /** Where its bytes are, for programs that want a file; empty if the volume is not one that they can look into. */
    default Optional<Path> path() {
        return file().path();
    }

    /** Whether somebody else may have the file by now: then the result will be refused. */
    default boolean isLost() {
        return remaining().isZero();
    }

    /** Before each act that cannot be taken back. @throws FileLeaseLostException if the lease is lost */
    default void checkLease() {
        if (isLost()) {
            throw new FileLeaseLostException(lease());
        }
    }

    /** How long the lease lasts even if no renewal succeeds any more. */
    Duration remaining();

    /** How far it is, for those who look at {@link Processing#status}. */
    void report(String progress);
}
