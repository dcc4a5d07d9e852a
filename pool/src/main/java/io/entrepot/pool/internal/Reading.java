package io.entrepot.pool.internal;

import io.entrepot.pool.DamagedFileException;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.SavedFile;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.VolumeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** How a file is read. Safe for use by many threads. */
final class Reading {
    private final Parts parts;
    private final Views views;

    Reading(Parts parts, Views views) {
        this.parts = parts;
        this.views = views;
    }

    FileContent open(TenantRow tenant, FileKey key) throws InterruptedException {
        VolumeException last = null;
        // It may be moved to another volume between the look at its row and the opening.
        for (int tries = 0; tries < 3; tries++) {
            Views.Found found = views.requireWithRow(tenant, key);
            try {
                return open(tenant, found, parts.volumes().reach(found.row().volume()));
            } catch (VolumeException e) {
                last = e;
            }
        }
        views.require(tenant, key);
        throw refused(tenant, key, Optional.ofNullable(last));
    }

    private FileContent open(TenantRow tenant, Views.Found found, MountedVolume volume)
            throws VolumeException, InterruptedException {
        Consumer<VolumeException> failed = why -> book(volume, why);
        try {
            return new Content(found.file(), volume.backend().open(found.row().path(tenant.id())), failed,
                    ConcurrentHashMap.newKeySet(), parts.config().patience());
        } catch (VolumeException e) {
            failed.accept(e);
            throw e;
        }
    }

    /** A volume that hangs or is away costs one reader his patience, not all. What else fails may be this one file. */
    private void book(MountedVolume volume, VolumeException why) {
        if (why.kind() == VolumeException.Kind.HANGS || why.kind() == VolumeException.Kind.NOT_THE_VOLUME) {
            parts.volumes().failed(volume, why);
        }
    }

    private static RuntimeException refused(TenantRow tenant, FileKey key, Optional<VolumeException> why) {
        String message = why.map(VolumeException::getMessage).orElse("it moves all the time");
        return why.isPresent() && why.get().kind() == VolumeException.Kind.MISSING
                ? new DamagedFileException(tenant.id(), key, "its bytes are gone: " + message, why.get())
                : new StorageVolumeUnavailableException("file " + key + " of tenant " + tenant.id()
                        + " cannot be read now: " + message, why.orElse(null));
    }

    private record Content(FileInfo file, Blob blob, Consumer<VolumeException> failed, Set<ReadAhead> running,
            Duration patience)
            implements
                FileContent {

        @Override
        public long size() {
            return file.size();
        }

        @Override
        public int read(long position, ByteBuffer into) throws IOException {
            try {
                return blob.read(position, into);
            } catch (VolumeException e) {
                failed.accept(e);
                throw new IOException("file " + file.key() + " of tenant " + file.tenant() + " cannot be read: "
                        + e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("reading file " + file.key() + " was interrupted");
            }
        }

        @Override
        public InputStream stream() {
            return stream(0, Long.MAX_VALUE);
        }

        @Override
        public InputStream stream(long from, long length) {
            return new ContentStream(this, from, length > size() - from ? size() : from + length, Optional.empty(),
                    running);
        }

        @Override
        public InputStream verifiedStream() {
            return new ContentStream(this, 0, size(), Optional.of(Sha256.digest()), running);
        }

        @Override
        public void saveTo(Path target) throws IOException {
            if (blob.isFile() && VerifiedCopy.isWorthIt(size())) {
                SavedFile.save(out -> new VerifiedCopy(this, blob, patience, out).run(), target);
            } else {
                FileContent.super.saveTo(target);
            }
        }

        @Override
        public void close() {
            running.forEach(ReadAhead::close);
            blob.close();
        }
    }
}
