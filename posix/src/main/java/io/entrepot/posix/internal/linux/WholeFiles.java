package io.entrepot.posix.internal.linux;

import io.entrepot.posix.Errno;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.posix.WholeFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Small files by the few calls they take: no channel, which is opened by a second path and watched by a cleaner. */
final class WholeFiles {
    private static final byte[] NOTHING = {};
    private static final int CREATE = Libc.O_WRONLY | Libc.O_CREAT | Libc.O_EXCL | Libc.O_NOFOLLOW | Libc.O_CLOEXEC;

    /** A pipe that has taken the file's place since it was looked at must not be waited for. */
    private static final int READ = Libc.O_NONBLOCK | Libc.O_NOFOLLOW | Libc.O_CLOEXEC;

    private WholeFiles() {}

    static Optional<WholeFile> read(Scratch scratch, int directory, LinuxDirectory parent, Name name, int most)
            throws PosixException {
        long path = parent.address(scratch.first(name), "open", name);
        parent.check("open", name, Libc.statx(scratch.errno, directory, path, Statx.flags(Freshness.UNCACHED),
                Statx.ALL, scratch.statx()));
        Stat before = Statx.toStat(scratch.statxMemory());
        Channels.refuse(before.type(), parent, name);
        if (before.size() > most) {
            return Optional.empty();
        }
        int file = Libc.openat(scratch.errno, directory, path, READ, 0);
        parent.check("open", name, file);
        try {
            byte[] bytes = content(scratch, file, parent, name, (int) before.size());
            parent.check("stat", name, Libc.statx(scratch.errno, file, scratch.first(NOTHING), Libc.AT_EMPTY_PATH,
                    Statx.ALL, scratch.statx()));
            return Optional.of(new WholeFile(before, bytes, Statx.toStat(scratch.statxMemory())));
        } finally {
            Libc.close(scratch.errno, file);
        }
    }

    private static byte[] content(Scratch scratch, int file, LinuxDirectory parent, Name name, int size)
            throws PosixException {
        byte[] bytes = new byte[size];
        MemorySegment piece = scratch.content();
        int at = 0;
        while (at < size) {
            long read = Libc.read(scratch.errno, file, piece.address(), Math.min(piece.byteSize(), size - at));
            if (read == 0) {
                return Arrays.copyOf(bytes, at);
            }
            if (read != -Errno.EINTR.number()) {
                parent.check("read", name, read);
                MemorySegment.copy(piece, ValueLayout.JAVA_BYTE, 0, bytes, at, (int) read);
                at += (int) read;
            }
        }
        return bytes;
    }

    static boolean create(Scratch scratch, int directory, LinuxDirectory parent, Name name, int mode,
            ByteBuffer content, Map<String, byte[]> attributes, boolean sync) throws PosixException {
        return create(scratch, directory, parent, name, mode, content, attributes, file -> {
            if (sync) {
                parent.check("fsync", name, Libc.fsync(scratch.errno, file));
            }
            return true;
        });
    }

    /** The mark is taken away last. What else is in the mode is as the directory and the process would have it. */
    static boolean createInPlace(Scratch scratch, int directory, LinuxDirectory parent, Name name, int mode,
            ByteBuffer content, Map<String, byte[]> attributes, BooleanSupplier wanted) throws PosixException {
        return create(scratch, directory, parent, name, mode | Stat.UNFINISHED, content, attributes, file -> {
            parent.check("stat", name, Libc.statx(scratch.errno, file, scratch.first(NOTHING), Libc.AT_EMPTY_PATH,
                    Statx.MODE, scratch.statx()));
            int whole = Statx.mode(scratch.statxMemory()) & ~Stat.UNFINISHED;
            if (!wanted.getAsBoolean()) {
                return false;
            }
            parent.check("chmod", name, Libc.fchmod(scratch.errno, file, whole));
            return true;
        });
    }

    /** What is done with a file that is written, before it is closed: whether it is to stay. */
    private interface End {
        boolean come(int file) throws PosixException;
    }

    private static boolean create(Scratch scratch, int directory, LinuxDirectory parent, Name name, int mode,
            ByteBuffer content, Map<String, byte[]> attributes, End end) throws PosixException {
        int file = Libc.openat(scratch.errno, directory, parent.address(scratch.first(name), "create", name), CREATE,
                mode);
        parent.check("create", name, file);
        boolean open = true;
        boolean stays = false;
        boolean ours = true;
        try {
            write(scratch, file, parent, name, content.duplicate());
            for (Map.Entry<String, byte[]> attribute : attributes.entrySet()) {
                Attributes.set(scratch, file, parent, name, attribute.getKey(), attribute.getValue());
            }
            boolean wanted = end.come(file);
            ours = wanted || isNamed(scratch, file);
            open = false;
            // On network storage this is where a failed write may be told.
            parent.check("close", name, Libc.close(scratch.errno, file));
            stays = wanted;
            return stays;
        } finally {
            if (open) {
                ours = isNamed(scratch, file);
                Libc.close(scratch.errno, file);
            }
            if (!stays && ours) {
                Libc.unlinkat(scratch.errno, directory, scratch.first(name), 0);
            }
        }
    }

    /** A call that hung may come back when somebody has removed the file, and made another one of that name. */
    private static boolean isNamed(Scratch scratch, int file) {
        return Libc.statx(scratch.errno, file, scratch.first(NOTHING), Libc.AT_EMPTY_PATH, Statx.NLINK,
                scratch.statx()) != 0 || Statx.links(scratch.statxMemory()) > 0;
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
