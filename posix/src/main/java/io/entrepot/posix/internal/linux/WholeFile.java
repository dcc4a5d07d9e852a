package io.entrepot.posix.internal.linux;

import io.entrepot.posix.Errno;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Map;

/** A small file by the four calls it takes: no channel, which is opened by a second path and watched by a cleaner. */
final class WholeFile {
    private static final int FLAGS = Libc.O_WRONLY | Libc.O_CREAT | Libc.O_EXCL | Libc.O_NOFOLLOW | Libc.O_CLOEXEC;

    private WholeFile() {}

    static boolean create(Scratch scratch, int directory, LinuxDirectory parent, Name name, int mode,
            ByteBuffer content,
            Map<String, byte[]> attributes, boolean sync) throws PosixException {
        int file = Libc.openat(scratch.errno, directory, parent.address(scratch.first(name), "create", name), FLAGS,
                mode);
        parent.check("create", name, file);
        boolean open = true;
        try {
            write(scratch, file, parent, name, content.duplicate());
            for (Map.Entry<String, byte[]> attribute : attributes.entrySet()) {
                Attributes.set(scratch, file, parent, name, attribute.getKey(), attribute.getValue());
            }
            if (sync) {
                parent.check("fsync", name, Libc.fsync(scratch.errno, file));
            }
            open = false;
            // On network storage this is where a failed write may be told.
            parent.check("close", name, Libc.close(scratch.errno, file));
            return true;
        } catch (PosixException | RuntimeException e) {
            if (open) {
                Libc.close(scratch.errno, file);
            }
            Libc.unlinkat(scratch.errno, directory, scratch.first(name), 0);
            throw e;
        }
    }

    private static void write(Scratch scratch, int file, LinuxDirectory parent, Name name, ByteBuffer content)
            throws PosixException {
        if (content.isDirect()) {
            try {
                long address = MemorySegment.ofBuffer(content).address();
                write(scratch, file, parent, name, address, content.remaining());
            } finally {
                Reference.reachabilityFence(content);
            }
            return;
        }
        MemorySegment copy = scratch.content();
        while (content.hasRemaining()) {
            int length = (int) Math.min(content.remaining(), copy.byteSize());
            MemorySegment.copy(MemorySegment.ofBuffer(content), 0, copy, 0, length);
            write(scratch, file, parent, name, copy.address(), length);
            content.position(content.position() + length);
        }
    }

    /** A write may be short, and go on or tell then why. */
    private static void write(Scratch scratch, int file, LinuxDirectory parent, Name name, long address, long length)
            throws PosixException {
        for (long done = 0; done < length;) {
            long written = Libc.write(scratch.errno, file, address + done, length - done);
            if (written != -Errno.EINTR.number()) {
                done += parent.check("write", name, written);
            }
        }
    }
}
