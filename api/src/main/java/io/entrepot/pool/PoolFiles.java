package io.entrepot.pool;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Files: how they get in, how they are read, what there is. Safe for use by many threads. */
public interface PoolFiles {

    /**
     * Stores a file. When this returns it survives {@code kill -9} and power loss, and is in its tenant's queue; when it
     * throws there is no file and no charge, except for {@link UnknownOutcomeException}. Checked in this order: the tenant
     * ({@link TenantNotFoundException}, {@link TenantDisabledException}, {@link TenantSuspendedException}), quotas
     * ({@link DirectoryQuotaExceededException}, {@link TenantQuotaExceededException}), volumes
     * ({@link StorageVolumeUnavailableException}, {@link InsufficientStorageException}), names
     * ({@link InvalidNameException}). The stream is read to its end and not closed.
     *
     * @throws IOException if the stream fails, or brings another number of bytes than was told
     */
    StoredFile write(TenantId tenant, NewFile file, InputStream content)
            throws IOException, InterruptedException;

    default StoredFile write(TenantId tenant, NewFile file, byte[] content) throws InterruptedException {
        try {
            return write(tenant, file.ofSize(content.length), new ByteArrayInputStream(content));
        } catch (IOException e) {
            throw new IllegalStateException("an array does not fail", e);
        }
    }

    /**
     * Stores a copy of a file of this machine, with the time at which that was last changed unless another one is said. Behind a
     * server this is what can be sent again if the connection breaks.
     */
    default StoredFile write(TenantId tenant, NewFile file, Path source) throws IOException, InterruptedException {
        return write(tenant, file, source, bytes -> {});
    }

    /**
     * The same for somebody who waits.
     *
     * @param read told of the bytes that were read each time, by any thread, so it must be quick; what is sent again is read again
     */
    StoredFile write(TenantId tenant, NewFile file, Path source, LongConsumer read)
            throws IOException, InterruptedException;

    /** @throws FileNotFoundException if the tenant has no such file, whoever else has */
    FileContent open(TenantId tenant, FileKey key) throws InterruptedException;

    /**
     * Why a file's bytes cannot be had now through no fault of its own; nothing if its volume works. For whoever has failed, to
     * tell whose failure it was: the volume is tried, which costs a sync, and marked as failed if it does not work.
     */
    Optional<String> outage(TenantId tenant, FileKey key) throws InterruptedException;

    Optional<FileInfo> find(TenantId tenant, FileKey key);

    /** @throws FileNotFoundException if there is none */
    default FileInfo get(TenantId tenant, FileKey key) {
        return find(tenant, key).orElseThrow(() -> new FileNotFoundException(tenant, key.toString()));
    }

    /** A page of files, oldest first. */
    FilePage list(FileQuery query);

    /**
     * Operators: takes a file out for good, whatever its state; whoever has it loses it.
     *
     * @param why for its history
     */
    void delete(TenantId tenant, FileKey key, String why);

    /** Operators: puts a file that was rebuilt and held into the queue. Says whether it was held. */
    boolean release(TenantId tenant, FileKey key);

    /** The same for all of a tenant's that are held. Says how many that were. */
    long releaseAll(TenantId tenant);

    /** Reads all of a file's bytes. @throws DamagedFileException if they are not what was written */
    void verify(TenantId tenant, FileKey key) throws IOException, InterruptedException;
}
