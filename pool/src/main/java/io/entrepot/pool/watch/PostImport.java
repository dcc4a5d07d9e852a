package io.entrepot.pool.watch;

import java.nio.file.Path;

/** What happens to a source once it is imported, for good. */
public sealed interface PostImport {

    /** It is removed. */
    record Delete() implements PostImport {}

    /**
     * It is moved, with the directories it is in below the watched one. Nothing is replaced: if the name is taken there, a
     * number is added.
     *
     * @param to on the same file system as the watched directory, and not inside of any; made if there is none
     */
    record Move(Path to) implements PostImport {}

    /** It stays, and is not imported again unless it changes or another one takes its place. */
    record Keep() implements PostImport {}
}
