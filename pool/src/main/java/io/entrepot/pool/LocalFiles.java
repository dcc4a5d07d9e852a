package io.entrepot.pool;

import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.FileDesk;
import io.entrepot.pool.internal.FileSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Files of a pool in this process, by way of the pool's own desks. Safe for use by many threads. */
final class LocalFiles implements PoolFiles {
    private final FileDesk desk;

    LocalFiles(FileDesk desk) {
        this.desk = desk;
    }

    @Override
    public StoredFile write(TenantId tenant, NewFile file, InputStream content)
            throws IOException, InterruptedException {
        return Errors.toldIo(() -> desk.write(tenant, file, content));
    }

    @Override
    public StoredFile write(TenantId tenant, NewFile file, Path source, LongConsumer read)
            throws IOException, InterruptedException {
        try (FileSource content = FileSource.open(source, read)) {
            NewFile told = file.withModifiedOf(source);
            return write(tenant, told.size().isPresent() ? told : told.ofSize(content.size()), content);
        } catch (ClosedByInterruptException e) {
            Thread.interrupted(); // it is what is thrown
            throw new InterruptedException("reading " + source + " was interrupted");
        }
    }

    @Override
    public FileContent open(TenantId tenant, FileKey key) throws InterruptedException {
        return Errors.told(() -> desk.open(tenant, key));
    }

    @Override
    public Optional<String> outage(TenantId tenant, FileKey key) throws InterruptedException {
        return Errors.told(() -> desk.outage(tenant, key));
    }

    @Override
    public Optional<FileInfo> find(TenantId tenant, FileKey key) {
        return Errors.told(() -> desk.find(tenant, key));
    }

    @Override
    public FilePage list(FileQuery query) {
        return Errors.told(() -> desk.list(query));
    }

    @Override
    public void delete(TenantId tenant, FileKey key, String why) {
        Errors.told(() -> {
            desk.delete(tenant, key, why);
            return true;
        });
    }

    @Override
    public boolean release(TenantId tenant, FileKey key) {
        return Errors.told(() -> desk.release(tenant, key));
    }

    @Override
    public long releaseAll(TenantId tenant) {
        return Errors.told(() -> desk.releaseAll(tenant));
    }

    @Override
    public void verify(TenantId tenant, FileKey key) throws IOException, InterruptedException {
        Errors.toldIo(() -> {
            desk.verify(tenant, key);
            return true;
        });
    }
}
