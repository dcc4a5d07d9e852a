package io.entrepot.pool;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A file that appears whole or not at all, and is durable then. What has come is sent to the disk while more comes, so that the end
 * has not to wait for all of it. For one thread: the one that saves, or one to whom it lends the channel, until that has ended.
 */
public final class SavedFile extends OutputStream {
    private static final long AT_ONCE = 64 << 20;
    /** So much may wait for the disk before the writer does. */
    private static final long MOST_UNSENT = 2 * AT_ONCE;

    private final Path part;
    private final FileChannel channel;
    private boolean lent;
    private long unsent;
    private @Nullable FutureTask<Boolean> sending;
    private @Nullable Instant modified;

    private SavedFile(Path part, FileChannel channel) {
        this.part = part;
        this.channel = channel;
    }

    /** Where what is saved comes from. */
    @FunctionalInterface
    public interface Content {
        void writeTo(SavedFile out) throws IOException;
    }

    /** Writes all that comes, in place of what may be there. If that fails, what was there still is. */
    public static void save(InputStream in, Path target) throws IOException {
        save(in::transferTo, target);
    }

    public static void save(Content content, Path target) throws IOException {
        Path parent = target.toAbsolutePath().getParent();
        if (parent == null || Files.isDirectory(target)) {
            throw new IOException(target + " is a directory, not a file to write to");
        }
        Path part = Files.createTempFile(parent, ".entrepot-", ".part", permissions(parent));
        try {
            FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE);
            SavedFile out = new SavedFile(part, channel);
            try {
                content.writeTo(out);
                out.awaitSent();
                if (out.modified != null) {
                    Files.setLastModifiedTime(part, FileTime.from(out.modified));
                }
                channel.force(true);
            } catch (Throwable e) {
                out.leave();
                throw e;
            }
            channel.close();
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            sync(parent);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Those of any new file: temporary ones are their owner's only unless told. */
    private static FileAttribute<?>[] permissions(Path parent) {
        return parent.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[]{
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-"))}
                : new FileAttribute<?>[0];
    }

    /** Where directories cannot be opened they need no sync, or there is none. */
    private static void sync(Path directory) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(directory, StandardOpenOption.READ);
        } catch (IOException e) {
            return;
        }
        try (channel) {
            channel.force(true);
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[]{(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        wrote(length);
    }

    /** For a thread that writes to it by itself, and says so by {@link #wrote}. */
    public FileChannel channel() {
        lent = true;
        return channel;
    }

    /** It is to look as if it was last changed then. Where the file system does not know such a time, it is the nearest that it does. */
    public void setModified(Instant time) {
        modified = time;
    }

    /** What was written so far, for whoever looks at it. */
    public Path written() {
        return part;
    }

    /** To close a channel is to wait for whoever is in it, who may never come back if it was lent. */
    private void leave() {
        if (lent) {
            Thread closing = new Thread(this::close, "entrepot closes a file");
            closing.setDaemon(true);
            closing.start();
        } else {
            close();
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // What was written is not wanted any more.
        }
    }

    public void wrote(long length) throws IOException {
        unsent += length;
        if (unsent >= AT_ONCE && (unsent >= MOST_UNSENT || sending == null || sending.isDone())) {
            send();
        }
    }

    private void send() throws IOException {
        awaitSent();
        unsent = 0;
        sending = new FutureTask<>(() -> {
            channel.force(false);
            return true;
        });
        Thread thread = new Thread(sending, "entrepot saves a file");
        thread.setDaemon(true);
        thread.start();
    }

    /** The system tells of a failure once, and maybe to that thread. */
    private void awaitSent() throws IOException {
        if (sending == null) {
            return;
        }
        try {
            sending.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("saving a file was interrupted");
        } catch (ExecutionException e) {
            throw new IOException("what was written cannot be made durable: " + e.getCause(), e);
        }
    }
}
