package io.entrepot.pool;

import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.FileDesk;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Files: how they get in, how they are read, what there is. Safe for use by many threads. */
public final class PoolFiles {
    private final FileDesk desk;

    PoolFiles(FileDesk desk) {
        this.desk = desk;
    }

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
    public StoredFile write(TenantId tenant, NewFile file, InputStream content)
            throws IOException, InterruptedException {
        return Errors.toldIo(() -> desk.write(tenant, file, content));
    }

    public StoredFile write(TenantId tenant, NewFile file, byte[] content) throws InterruptedException {
        try {
            return write(tenant, file.ofSize(content.length), new ByteArrayInputStream(content));
        } catch (IOException e) {
            throw new IllegalStateException("an array does not fail", e);
        }
    }

    /** @throws FileNotFoundException if the tenant has no such file, whoever else has */
    public FileContent open(TenantId tenant, FileKey key) throws InterruptedException {
        return Errors.told(() -> desk.open(tenant, key));
    }

    /**
     * Why a file's bytes cannot be had now through no fault of its own; nothing if its volume works. For whoever has failed, to
     * tell whose failure it was: the volume is tried, which costs a sync, and marked as failed if it does not work.
     */
    public Optional<String> outage(TenantId tenant, FileKey key) throws InterruptedException {
        return Errors.told(() -> desk.outage(tenant, key));
    }

    public Optional<FileInfo> find(TenantId tenant, FileKey key) {
        return Errors.told(() -> desk.find(tenant, key));
    }

    /** @throws FileNotFoundException if there is none */
    public FileInfo get(TenantId tenant, FileKey key) {
        return find(tenant, key).orElseThrow(() -> new FileNotFoundException(tenant, key.toString()));
    }

    /** A page of files, oldest first. */
    public FilePage list(FileQuery query) {
        return Errors.told(() -> desk.list(query));
    }

    /**
     * Operators: takes a file out for good, whatever its state; whoever has it loses it.
     *
     * @param why for its history
     */
    public void delete(TenantId tenant, FileKey key, String why) {
        Errors.told(() -> {
            desk.delete(tenant, key, why);
            return true;
        });
    }

    /** Operators: puts a file that was rebuilt and held into the queue. Says whether it was held. */
    public boolean release(TenantId tenant, FileKey key) {
        return Errors.told(() -> desk.release(tenant, key));
    }

    /** The same for all of a tenant's that are held. Says how many that were. */
    public long releaseAll(TenantId tenant) {
        return Errors.told(() -> desk.releaseAll(tenant));
    }

    /** Reads all of a file's bytes. @throws DamagedFileException if they are not what was written */
    public void verify(TenantId tenant, FileKey key) throws IOException, InterruptedException {
        Errors.toldIo(() -> {
            desk.verify(tenant, key);
            return true;
        });
    }
}
