package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import java.util.Optional;

/** What is remembered of directories. Asked by the scanning threads, so safe for use by many threads; should be quick. */
@FunctionalInterface
public interface ScanMemory {

    /** Of the last listing that was read to its end and has arrived where it should; none if the directory is new. */
    Optional<Remembered> of(BytePath directory);
}
