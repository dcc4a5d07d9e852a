package io.entrepot.store;

import java.io.IOException;
import java.nio.file.FileStore;

/** How many bytes of a disk can be had; replaced in tests. */
@FunctionalInterface
public interface FreeSpace {
    FreeSpace SYSTEM = FileStore::getUsableSpace;

    long of(FileStore disk) throws IOException;
}
