package io.entrepot.pool.volume;

import io.entrepot.posix.Name;
import io.entrepot.posix.Replacing;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A file that is being written, under a temporary name. What is added is gathered first, so that the storage is asked in large
 * pieces, and so that a write which hangs has bytes of its own when its caller's buffer has become somebody else's.
 *
 * <p>For one thread at a time. A call that did not come back may still be under way, so nothing more is done with the file
 * until it is begun anew; it is closed, and dropped, when that call has ended.
 */
final class LocalIncoming implements Incoming {
    private static final int PIECE = 128 << 10;
    /** If as much comes at once. */
    private static final int LARGEST_PIECE = 512 << 10;
    /**
     * So much is sent to the disk at a time, while more comes: so that the end has not to wait for all of it, and no single call has
     * more to write out than its patience allows.
     */
    private static final long LEAST_AT_ONCE = 16 << 20;
    private static final long MOST_AT_ONCE = 64 << 20;
    /** What any storage can be expected to write out in a second. */
    private static final long BYTES_PER_SECOND = 4 << 20;
    private static final int SUMMED_AT_ONCE = 256 << 10;

    private final MountThreads threads;
    private final VolumeRoot root;
    private final Placing placing;
    private final Name name;
    private final FileChannel channel;
    private final Shared use;
    private final long atOnce;
    private @Nullable ByteBuffer gathered;
    private @Nullable ByteBuffer toSum;
    private volatile boolean lost;
    /** So much was sent to the disk, or is being sent. */
    private long sent;
    /** So much is on the disk for sure. */
    private long forced;
    private @Nullable FutureTask<Boolean> sending;
    // Changed by the call under way, for which its caller waits.
    private volatile long written;
    /** By a thread of its own: then nothing is cut off under its hands. */
    private volatile boolean copying;
    private boolean nameIsDurable;
    private volatile boolean stays;

    LocalIncoming(MountThreads threads, VolumeRoot root, Placing placing, Name name, FileChannel channel, long size) {
        this.threads = threads;
        this.root = root;
        this.placing = placing;
        this.name = name;
        this.channel = channel;
        this.written = size;
        this.sent = size;
        this.forced = size;
        this.use = new Shared(this::end);
        this.atOnce = Math.clamp(threads.patience().toSeconds() * BYTES_PER_SECOND, LEAST_AT_ONCE, MOST_AT_ONCE);
    }

    @Override
    public String id() {
        return name.toString();
    }

    @Override
    public long size() {
        return written + (gathered == null ? 0 : gathered.position());
    }

    @Override
    public void write(ByteBuffer content) throws VolumeException, InterruptedException {
        while (content.hasRemaining()) {
            ByteBuffer buffer = room(content.remaining());
            gathered = buffer;
            int length = Math.min(buffer.remaining(), content.remaining());
            buffer.put(content.slice(content.position(), length));
            content.position(content.position() + length);
            if (!buffer.hasRemaining()) {
                run("write", new Attempt(), () -> {});
                sendIfMuch();
            }
        }
    }

    @Override
    public void give(ByteBuffer content) throws VolumeException, InterruptedException {
        if (content.remaining() < PIECE || (gathered != null && gathered.position() > 0)) {
            write(content);
            return;
        }
        run("write", new Attempt(), content, () -> {});
        sendIfMuch();
    }

    private void sendIfMuch() throws VolumeException, InterruptedException {
        if (written - sent >= atOnce) {
            send();
        }
    }

    private ByteBuffer room(int coming) {
        int size = Math.clamp(coming, PIECE, LARGEST_PIECE);
        return gathered == null || (gathered.position() == 0 && gathered.capacity() < size)
                ? ByteBuffer.allocate(size)
                : gathered;
    }

    @Override
    public int read(long position, ByteBuffer into) throws VolumeException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocate(Math.min(into.remaining(), PIECE));
        int[] read = {0};
        run("read", new Attempt(), () -> read[0] = channel.read(buffer, position));
        if (read[0] > 0) {
            into.put(buffer.flip());
        }
        return read[0];
    }

    @Override
    public boolean isFile() {
        return true;
    }

    @Override
    public long copy(FileChannel from, long position, long count)
            throws IOException, VolumeException, InterruptedException {
        if (gathered != null && gathered.position() > 0) {
            throw new IllegalStateException("bytes that were written are not there yet");
        }
        if (lost || !use.enter()) {
            throw new IllegalStateException(name + " cannot be written any more");
        }
        copying = true;
        long n;
        try {
            n = copyHere(from, position, count);
        } finally {
            use.leave();
        }
        sendIfMuch();
        copying = false;
        return n;
    }

    private long copyHere(FileChannel from, long position, long count) throws IOException {
        long at = written;
        try {
            long n = from.transferTo(position, count, channel.position(at));
            written = at + n;
            return n;
        } catch (IOException e) {
            cutOff(e);
            copying = false; // it goes on from what was there before
            throw e;
        }
    }

    @Override
    public void sum(long position, long count, MessageDigest digest) throws VolumeException, InterruptedException {
        ByteBuffer buffer = toSum == null ? ByteBuffer.allocateDirect(SUMMED_AT_ONCE) : toSum;
        toSum = null; // a call that hangs may still use it
        run("read", new Attempt(), null, () -> {
            for (long at = position; at < position + count; at += buffer.position()) {
                if (channel.read(buffer.clear().limit((int) Math.min(SUMMED_AT_ONCE, position + count - at)), at) < 0) {
                    throw new EOFException("what was written ends after " + at + " bytes");
                }
                digest.update(buffer.flip());
            }
        });
        toSum = buffer;
    }

    @Override
    public void check() throws VolumeException, InterruptedException {
        run("write out", new Attempt(), null, () -> {
            channel.force(false);
            root.requireAlive();
        });
    }

    @Override
    public void truncate(long size) throws VolumeException, InterruptedException {
        if (size < 0 || size > size()) {
            throw new IllegalArgumentException("there are " + size() + " bytes to cut off from, not " + size);
        }
        awaitSent();
        run("truncate", new Attempt(), () -> {
            channel.truncate(size);
            written = size;
        });
        sent = Math.min(sent, size);
        forced = Math.min(forced, size);
    }

    @Override
    public void force() throws VolumeException, InterruptedException {
        awaitSent();
        run("force", new Attempt(), () -> {
            channel.force(true);
            if (!nameIsDurable) {
                root.incoming().sync();
                nameIsDurable = true;
            }
            root.requireAlive();
        });
        sent = written;
        forced = written;
    }

    /** The disk has it while more comes; not more than one at a time. */
    private void send() throws VolumeException, InterruptedException {
        awaitSent();
        sent = written;
        FutureTask<Boolean> task = new FutureTask<>(
                () -> threads.call("write out " + name, () -> step(null, () -> channel.force(false))));
        sending = task;
        Thread.ofVirtual().start(task);
    }

    /**
     * The system tells of a failure once, and here is who was told: what was being sent may be lost, so it is cut off, and who goes on
     * from {@link #size} writes it again.
     */
    private void awaitSent() throws VolumeException, InterruptedException {
        FutureTask<Boolean> task = sending;
        if (task == null) {
            return;
        }
        try {
            task.get();
            sending = null;
            forced = sent;
        } catch (InterruptedException e) {
            lost = true;
            throw e;
        } catch (ExecutionException e) {
            sending = null;
            switch (e.getCause()) {
                case VolumeException why -> {
                    cutOff(why);
                    throw why;
                }
                case RuntimeException why -> throw why;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    private void cutOff(VolumeException why) throws InterruptedException {
        gathered = null;
        try {
            if (why.kind() != VolumeException.Kind.HANGS && !copying) {
                run("cut off", new Attempt(), () -> {
                    channel.truncate(forced);
                    written = forced;
                });
                sent = forced;
                return;
            }
        } catch (VolumeException e) {
            why.addSuppressed(e);
        }
        lost = true;
    }

    @Override
    public void place(BlobPath path, byte[] description) throws VolumeException, InterruptedException {
        SmallBlobs.checkDescription(description);
        awaitSent();
        Attempt attempt = new Attempt();
        run("place " + path + " from", attempt, () -> {
            if (root.described()) {
                root.incoming().setAttribute(name, VolumeRoot.DESCRIPTION, description);
            }
            channel.force(true);
            if (!attempt.make()) {
                return;
            }
            placing.place(name, path, Replacing.NO_REPLACE, true);
            stays = true;
            use.close(); // ends when this call does
        });
    }

    @Override
    public void keep() {
        ByteBuffer rest = gathered;
        gathered = null;
        threads.finish(() -> {
            stays = true;
            if (rest != null && use.enter()) {
                try {
                    append(rest.flip());
                } catch (IOException e) {
                    // The size tells whoever resumes it.
                } finally {
                    use.leave();
                }
            }
            use.close();
        });
    }

    @Override
    public void close() {
        if (!use.isClosed()) {
            threads.finish(use::close);
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** Writes what was gathered, and then does the step; all of it at once, as each change of threads costs as much as a call. */
    private void run(String what, Attempt attempt, Step step) throws VolumeException, InterruptedException {
        ByteBuffer rest = gathered;
        gathered = null;
        run(what, attempt, rest == null ? null : rest.flip(), step);
        gathered = rest == null ? null : rest.clear();
    }

    private void run(String what, Attempt attempt, @Nullable ByteBuffer bytes, Step step)
            throws VolumeException, InterruptedException {
        if (lost) {
            throw new VolumeException(VolumeException.Kind.HANGS, "volume " + root.volume() + ": " + what + " " + name
                    + ": an earlier call did not come back; resume it", null);
        }
        try {
            threads.call(what + " " + name, attempt, () -> step(bytes, step));
        } catch (VolumeException e) {
            lost = e.kind() == VolumeException.Kind.HANGS;
            throw e;
        } catch (InterruptedException e) {
            lost = true;
            throw e;
        }
    }

    private boolean step(@Nullable ByteBuffer rest, Step step) throws IOException {
        if (!use.enter()) {
            throw new IllegalStateException(name + " is closed");
        }
        try {
            if (rest != null) {
                append(rest);
            }
            step.run();
            return true;
        } finally {
            use.leave();
        }
    }

    /** All of it, or nothing, as far as that can be had. */
    private void append(ByteBuffer buffer) throws IOException {
        long at = written;
        try {
            while (buffer.hasRemaining()) {
                at += channel.write(buffer, at);
            }
        } catch (IOException e) {
            cutOff(e);
            throw e;
        }
        written = at;
    }

    private void cutOff(IOException failure) {
        try {
            channel.truncate(written);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void end() {
        try {
            channel.close();
        } catch (IOException e) {
            // What it was to hold is durable or not wanted; there is nothing to lose here.
        }
        if (!stays) {
            root.drop(name);
        }
    }
}
