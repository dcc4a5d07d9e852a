package io.entrepot.posix;

/**
 * Lists directories, one at a time, with buffers that are used again and again: the fast way to see many files. For one
 * thread at a time: each scanning thread has its own.
 */
public interface DirectoryReader extends AutoCloseable {

    /**
     * Begins to list a directory, from its first entry. Ends the listing before: its cursor cannot be used any more. The
     * directory may be closed meanwhile by anybody; the cursor then throws {@link IllegalStateException}.
     */
    Cursor list(Directory directory) throws PosixException;

    /** Also ends the current listing. Harmless when repeated. */
    @Override
    void close();
}
