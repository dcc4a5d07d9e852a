package io.entrepot.client;

import io.entrepot.pool.DamagedFileException;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.Sha256;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file behind a server. Opening it asks for all of them: the first stream reads that answer, which stays readable
 * although the file is completed meanwhile, as long as the connection holds. Others make requests of their own.
 *
 * <p>Safe for use by many threads.
 */
final class RemoteContent implements FileContent {
    private final Transport transport;
    private final String path;
    private final String tag;
    private final long size;
    private final Supplier<FileInfo> info;
    /** The answer that came when it was opened, until somebody reads it. */
    private final AtomicReference<@Nullable PulledBody> first;
    private volatile @Nullable FileInfo file;

    private RemoteContent(Transport transport, String path, Answer answer, Supplier<FileInfo> info) {
        this.transport = transport;
        this.path = path;
        this.tag = answer.headers().firstValue("ETag").orElseThrow(() -> new IllegalArgumentException(
                "the server's answer has no ETag; something between changes it"));
        this.size = answer.headers().firstValueAsLong("Content-Length").orElseThrow(
                () -> new IllegalArgumentException("the server's answer has no length; something between changes it"));
        this.info = info;
        this.first = new AtomicReference<>(answer.stream());
    }

    static RemoteContent open(Transport transport, String path, Supplier<FileInfo> info) throws InterruptedException {
        return new RemoteContent(transport, path, transport.send(Ask.get(path).asItComes()), info);
    }

    /** Asked for when it is wanted. */
    @Override
    public FileInfo file() {
        FileInfo known = file;
        if (known == null) {
            known = info.get();
            file = known;
        }
        return known;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public int read(long position, ByteBuffer into) throws IOException {
        if (position >= size) {
            return -1;
        }
        int wanted = (int) Math.min(into.remaining(), size - position);
        try (InputStream in = stream(position, wanted)) {
            byte[] bytes = in.readNBytes(wanted);
            into.put(bytes);
            return bytes.length;
        }
    }

    @Override
    public InputStream stream() {
        return new Download(transport, path, tag, 0, size, first.getAndSet(null));
    }

    @Override
    public InputStream stream(long from, long length) {
        if (from < 0 || length < 0) {
            throw new IllegalArgumentException("a part begins at 0 or later and is not negative: " + from + ", "
                    + length);
        }
        long begin = Math.min(from, size);
        return new Download(transport, path, tag, begin, begin + Math.min(length, size - begin), null);
    }

    @Override
    public InputStream verifiedStream() {
        MessageDigest digest = Sha256.digest();
        return new FilterInputStream(stream()) {
            private boolean checked;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int n = in.read(into, offset, length);
                if (n > 0) {
                    digest.update(into, offset, n);
                } else if (n < 0 && !checked) {
                    checked = true;
                    check(digest);
                }
                return n;
            }

            @Override
            public long skip(long n) throws IOException {
                return readNBytes((int) Math.min(n, 64 << 10)).length; // skipped bytes count too
            }
        };
    }

    /** The tag is the checksum: the same bytes have the same one. */
    private void check(MessageDigest digest) {
        String read = new Sha256(digest.digest()).toString();
        if (!tag.equals("\"" + read + "\"")) {
            FileInfo damaged = file();
            throw new DamagedFileException(damaged.tenant(), damaged.key(), "its checksum is " + read + ", not " + tag);
        }
    }

    @Override
    public void close() {
        PulledBody unread = first.getAndSet(null);
        if (unread != null) {
            unread.close();
        }
    }
}
