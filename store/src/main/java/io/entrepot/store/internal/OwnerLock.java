package io.entrepot.store.internal;

import io.entrepot.store.DirectoryInUseException;
import io.entrepot.store.NotDoneException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One owner per data directory, by a lock on a file in it that the system gives up when the process ends, however it
 * ends. The file names the owner for people.
 *
 * <p>INVARIANT: within one process the lock file of an owned directory is never opened a second time. POSIX gives up a
 * process's locks when *any* of its descriptors for the file is closed.
 */
public final class OwnerLock implements AutoCloseable {
    static final String FILE = "entrepot.lock";
    private static final Set<Path> OWNED_HERE = ConcurrentHashMap.newKeySet();
    private static final Set<FileChannel> NEVER_CLOSED = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private OwnerLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** Makes the directory if there is none, and owns it. */
    public static OwnerLock acquire(Path dir) {
        Path real;
        try {
            real = Files.createDirectories(dir).toRealPath();
        } catch (IOException e) {
            throw Durable.notDone("cannot use " + dir + " as a data directory", e);
        }
        if (!OWNED_HERE.add(real)) {
            throw new DirectoryInUseException("the data directory " + dir + " is already open in this process ("
                    + ProcessHandle.current().pid() + ")");
        }
        try {
            return lock(real);
        } catch (RuntimeException e) {
            OWNED_HERE.remove(real);
            throw e;
        }
    }

    private static OwnerLock lock(Path dir) {
        FileChannel channel;
        try {
            channel = FileChannel.open(dir.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw Durable.notDone("the data directory " + dir + " cannot be written to", e);
        }
        try {
            if (channel.tryLock() == null) {
                throw new DirectoryInUseException("the data directory " + dir + " is in use by process "
                        + owner(channel) + "; stop it, or use another directory");
            }
            sign(channel);
            return new OwnerLock(dir, channel);
        } catch (OverlappingFileLockException e) {
            // Another class loader's copy of this class has it. Closing this channel would give its lock up.
            NEVER_CLOSED.add(channel);
            throw new DirectoryInUseException("the data directory " + dir + " is already open in this process ("
                    + ProcessHandle.current().pid() + ")");
        } catch (IOException e) {
            close(channel, e);
            throw Durable.notDone("the data directory " + dir + " cannot be locked", e);
        } catch (DirectoryInUseException e) {
            close(channel, e);
            throw e;
        }
    }

    /** In the place of the last owner's name: on a full disk a new place might not be had. */
    private static void sign(FileChannel channel) throws IOException {
        ByteBuffer name = ByteBuffer
                .wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII));
        channel.write(name, 0);
        channel.truncate(name.capacity());
    }

    private static void close(FileChannel channel, Exception because) {
        try {
            channel.close();
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(32);
        int n = channel.read(text, 0);
        String pid = n <= 0
                ? ""
                : new String(text.array(), 0, n, StandardCharsets.US_ASCII).lines()
                        .findFirst().orElse("").strip();
        return pid.isEmpty() ? "(unknown)" : pid;
    }

    @Override
    public synchronized void close() {
        if (!channel.isOpen()) {
            return; // somebody else may own the directory by now
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw NotDoneException.io("the lock of " + directory + " cannot be released", e);
        } finally {
            OWNED_HERE.remove(directory);
        }
    }
}
