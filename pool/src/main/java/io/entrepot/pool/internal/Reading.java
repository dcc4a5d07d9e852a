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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
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
        Opened opened = find(tenant, key);
        return new Content(opened.file, new Following(opened, () -> find(tenant, key)), parts.config().patience());
    }

    /** Where it is now. */
    private Opened find(TenantRow tenant, FileKey key) throws InterruptedException {
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

    private Opened open(TenantRow tenant, Views.Found found, MountedVolume volume)
            throws VolumeException, InterruptedException {
        Consumer<VolumeException> failed = why -> book(volume, why);
        try {
            return new Opened(found.file(), volume.backend().open(found.row().path(tenant.id())), failed);
        } catch (VolumeException e) {
            failed.accept(e);
            throw e;
        }
    }

    private record Opened(FileInfo file, Blob blob, Consumer<VolumeException> failed) {

        int read(long position, ByteBuffer into) throws VolumeException, InterruptedException {
            try {
                return blob.read(position, into);
            } catch (VolumeException e) {
                failed.accept(e);
                throw e;
            }
        }
    }

    private interface Finding {
        Opened find() throws InterruptedException;
    }

    /**
     * A file that is open, also when it is moved: where what is open does not stay readable after that, it is opened where it is by
     * then. Safe for use by many threads: one at a time opens it anew, and what was open before is closed at the end, as others may
     * just be reading.
     */
    private static final class Following implements AutoCloseable {
        private final Finding finding;
        private final ReentrantLock opening = new ReentrantLock();
        private final List<Opened> before = new ArrayList<>();
        private volatile Opened opened;
        private boolean closed;

        Following(Opened first, Finding finding) {
            this.opened = first;
            this.finding = finding;
        }

        int read(long position, ByteBuffer into) throws VolumeException, InterruptedException {
            Opened tried = opened;
            try {
                return tried.read(position, into);
            } catch (VolumeException e) {
                if (e.kind() != VolumeException.Kind.MISSING) {
                    throw e;
                }
                return after(tried, e).read(position, into);
            }
        }

        private Opened after(Opened gone, VolumeException why) throws VolumeException, InterruptedException {
            opening.lockInterruptibly();
            try {
                if (closed) {
                    throw why;
                }
                if (opened.equals(gone)) {
                    Opened now = finding.find();
                    before.add(gone);
                    opened = now;
                }
                return opened;
            } finally {
                opening.unlock();
            }
        }

        @Override
        public void close() {
            opening.lock();
            try {
                closed = true;
                before.forEach(one -> one.blob.close());
                opened.blob.close();
            } finally {
                opening.unlock();
            }
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

    private record Content(FileInfo file, Following following, Duration patience, Set<ReadAhead> running)
            implements
                FileContent {

        Content(FileInfo file, Following following, Duration patience) {
            this(file, following, patience, ConcurrentHashMap.newKeySet());
        }

        @Override
        public long size() {
            return file.size();
        }

        @Override
        public int read(long position, ByteBuffer into) throws IOException {
            try {
                return following.read(position, into);
            } catch (VolumeException e) {
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
            Blob blob = following.opened.blob;
            if (blob.isFile() && CopyAhead.isWorthIt(size())) {
                SavedFile.save(out -> new VerifiedCopy(this, blob, patience, out).run(), target);
            } else {
                FileContent.super.saveTo(target);
            }
        }

        @Override
        public void close() {
            running.forEach(ReadAhead::close);
            following.close();
        }
    }
}
