package io.entrepot.pool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The bytes of a file, open for reading: they stay readable although the file is completed or moved meanwhile. Safe for use by
 * many threads; its streams are for one each. Failures of the volume are {@link IOException}s.
 */
public interface FileContent extends AutoCloseable {

    FileInfo file();

    long size();

    /** Bytes from there on into the buffer; how many, -1 at the end. */
    int read(long position, ByteBuffer into) throws IOException;

    InputStream stream();

    /** A part of it; what lies beyond the end is not there. */
    InputStream stream(long from, long length);

    /**
     * All of it, and at its end what was read is compared with the checksum: {@link DamagedFileException} if it is not what
     * was written. So use nothing of it before it has ended.
     */
    InputStream verifiedStream();

    /**
     * Writes all of it to a file, in place of what may be there: verified, whole or not at all, and durable when this returns.
     *
     * @throws DamagedFileException if it is not what was written; then there is no such file, or the one that was there
     */
    default void saveTo(Path target) throws IOException {
        try (InputStream in = verifiedStream()) {
            SavedFile.save(in, target);
        }
    }

    @Override
    void close();
}
