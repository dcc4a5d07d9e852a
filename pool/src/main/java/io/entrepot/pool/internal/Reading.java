package io.entrepot.pool.internal;

import io.entrepot.pool.DamagedFileException;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.VolumeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Optional;
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
            return new Content(found.file(), volume.backend().open(found.row().path(tenant.id())), failed);
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

    private record Content(FileInfo file, Blob blob, Consumer<VolumeException> failed) implements FileContent {

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
            return new Stream(this, from, Math.min(size(), length > size() - from ? size() : from + length));
        }

        @Override
        public InputStream verifiedStream() {
            return new Verified(this);
        }

        @Override
        public void close() {
            blob.close();
        }
    }

    /**
     * From one position to another. Asking the volume means to wait for another thread, so who asks for little gets it from a
     * larger piece.
     */
    private static class Stream extends InputStream {
        private static final int PIECE = 256 << 10;

        private final Content content;
        private final long end;
        /** Where the next piece begins. */
        private long position;
        private byte[] piece = new byte[0];
        private int next;
        private int length;

        Stream(Content content, long from, long end) {
            if (from < 0) {
                throw new IllegalArgumentException("a range begins at 0 or later: " + from);
            }
            this.content = content;
            this.position = from;
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int wanted) throws IOException {
            if (wanted == 0) {
                return 0;
            }
            if (next == length && wanted >= PIECE) {
                return ask(into, offset, wanted);
            }
            if (next == length) {
                if (piece.length == 0) {
                    piece = new byte[Math.clamp(end - position, 1, PIECE)];
                }
                next = 0;
                length = Math.max(0, ask(piece, 0, piece.length));
            }
            int n = Math.min(wanted, length - next);
            System.arraycopy(piece, next, into, offset, n);
            next += n;
            return n == 0 ? -1 : n;
        }

        private int ask(byte[] into, int offset, int wanted) throws IOException {
            if (position >= end) {
                return -1;
            }
            int n = content.read(position, ByteBuffer.wrap(into, offset, (int) Math.min(wanted, end - position)));
            if (n < 0) {
                throw new DamagedFileException(content.file.tenant(), content.file.key(), "it ends after " + position
                        + " of " + content.file.size() + " bytes");
            }
            position += n;
            return n;
        }

        @Override
        public long transferTo(OutputStream out) throws IOException {
            byte[] some = new byte[Math.min(Math.max(1, available()), PIECE)];
            long told = 0;
            for (int n = read(some, 0, some.length); n >= 0; n = read(some, 0, some.length)) {
                out.write(some, 0, n);
                told += n;
            }
            return told;
        }

        @Override
        public int available() {
            return Math.clamp(end - position + length - next, 0, Integer.MAX_VALUE);
        }
    }

    /** All of it, with its checksum. */
    private static final class Verified extends Stream {
        private final FileInfo file;
        private final MessageDigest digest = Sha256.digest();
        private boolean verified;

        Verified(Content content) {
            super(content, 0, content.size());
            this.file = content.file;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int n = super.read(into, offset, length);
            if (n > 0) {
                digest.update(into, offset, n);
            } else if (n < 0 && !verified) {
                verified = true;
                if (!new Sha256(digest.digest()).equals(file.sha256())) {
                    throw new DamagedFileException(file.tenant(), file.key(),
                            "its bytes are not those that were written");
                }
            }
            return n;
        }
    }
}
