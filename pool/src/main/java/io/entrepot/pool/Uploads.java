package io.entrepot.pool;

import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.Uploading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Files that are written in pieces, each of which is durable by itself: whoever loses the connection, or the process, goes on
 * where the last piece has ended. An upload is no file, and is in no queue, before it is finished; then it is one like any
 * other. Another tenant's upload is not found. Safe for use by many threads.
 */
public final class Uploads {
    private final Uploading uploading;

    Uploads(Uploading uploading) {
        this.uploading = uploading;
    }

    /**
     * Begins one. Checked in the order of {@link PoolFiles#write}. From now on it counts as a file for the quotas, with the
     * bytes it was said to have or has; and room for those is kept on its volume.
     *
     * @param file with its size, if that is known: then no other number of bytes is taken
     */
    public UploadId begin(TenantId tenant, NewFile file) {
        return Errors.told(() -> uploading.begin(tenant, file));
    }

    public UploadId begin(TenantId tenant, NewFile file, long size) {
        return begin(tenant, file.ofSize(size));
    }

    /**
     * Adds a piece, of any size: the stream is read to its end and not closed. What came is durable when this returns. If the
     * stream fails, so is what came before, and {@link #status} says how much that is.
     *
     * @param offset where the piece belongs: at the end of what is there
     * @return where the next piece belongs
     * @throws UploadOffsetException   if that is not the end, or another piece is just being added
     * @throws UploadNotFoundException if there is no such upload (any more)
     * @throws IOException             if the stream fails, or brings more than was told
     */
    public long append(TenantId tenant, UploadId upload, long offset, InputStream piece)
            throws IOException, InterruptedException {
        return Errors.toldIo(() -> uploading.append(tenant, upload, offset, piece, false));
    }

    /**
     * Adds a piece of which all counts or nothing: for a stream that looks at what it gives, and at its end throws if that is not
     * what it should be. Whatever it throws comes through, and the upload is as it was before.
     */
    public long appendWhole(TenantId tenant, UploadId upload, long offset, InputStream piece)
            throws IOException, InterruptedException {
        return Errors.toldIo(() -> uploading.append(tenant, upload, offset, piece, true));
    }

    public long append(TenantId tenant, UploadId upload, long offset, byte[] piece) throws InterruptedException {
        try {
            return append(tenant, upload, offset, new ByteArrayInputStream(piece));
        } catch (IOException e) {
            throw new InvalidSettingException("upload " + upload + " of tenant " + tenant + ": " + e.getMessage(), e);
        }
    }

    /** @throws UploadNotFoundException if there is no such upload (any more) */
    public UploadStatus status(TenantId tenant, UploadId upload) {
        return Errors.told(() -> uploading.status(tenant, upload));
    }

    /** Those that are not finished, oldest first. */
    public List<UploadStatus> list(TenantId tenant) {
        return Errors.told(() -> uploading.list(tenant));
    }

    /**
     * Makes it a file, as {@link PoolFiles#write} does and by the same rules. If it is refused, the pieces stay, and this can be
     * tried again. A repeated call gives the first answer, as long as {@link PoolConfig#history}.
     *
     * @throws UploadOffsetException if less has come than was told
     */
    public StoredFile finish(TenantId tenant, UploadId upload) throws InterruptedException {
        return Errors.told(() -> uploading.finish(tenant, upload));
    }

    /** Drops it and what has come. Says whether there was one that was not finished. */
    public boolean cancel(TenantId tenant, UploadId upload) throws InterruptedException {
        return Errors.told(() -> uploading.cancel(tenant, upload));
    }
}
