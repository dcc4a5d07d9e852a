package io.entrepot.pool.watch;

import io.entrepot.posix.BytePath;
import java.io.IOException;

/** What is being imported is not what was looked at; it is looked at again. */
final class SourceChangedException extends IOException {

    SourceChangedException(BytePath path) {
        super(path + " changed while it was being read");
    }
}
