package io.entrepot.posix;

import java.io.IOException;

/** Something that may hang, for a {@link MountPool} to run. */
@FunctionalInterface
public interface MountCall<T> {
    T call() throws IOException;
}
