package io.entrepot.posix.internal.linux;

import io.entrepot.posix.Cursor;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/**
 * Walks through the entries as the kernel wrote them, and hands the kernel the name where it lies.
 * <p>
 * An entry is: inode (8 bytes), offset (8), length of the entry (2), type (1), name with NUL, up to the next multiple of 8.
 * The entry stays where it is until {@link #next}, so its address can be given to {@code statx}.
 */
final class LinuxCursor implements Cursor {
    private static final int LENGTH = 16;
    private static final int TYPE = 18;
    private static final int NAME = 19;

    private final LinuxReader reader;
    private final LinuxDirectory directory;
    private final int descriptor;
    private final MemorySegment entries;
    private final MemorySegment statx;
    private final long entriesAddress;
    private final long statxAddress;
    private final int mask;

    private int entry = -1;
    private int nextEntry;
    private int end;
    private boolean looked;
    private boolean ended;
    private boolean complete;

    LinuxCursor(LinuxReader reader, LinuxDirectory directory, int descriptor) {
        this.reader = reader;
        this.directory = directory;
        this.descriptor = descriptor;
        entries = reader.entries;
        statx = reader.statx;
        entriesAddress = entries.address();
        statxAddress = statx.address();
        mask = reader.mask;
    }

    @Override
    public boolean next() throws PosixException {
        looked = false;
        do {
            if (nextEntry >= end && !fill()) {
                entry = -1;
                return false;
            }
            entry = nextEntry;
            nextEntry = entry + (entries.get(ValueLayout.JAVA_SHORT, entry + LENGTH) & 0xffff);
        } while (isDots());
        return true;
    }

    private boolean fill() throws PosixException {
        if (ended) {
            if (complete) {
                return false;
            }
            throw new IllegalStateException("the listing of " + directory.path() + " was ended or cut short");
        }
        if (!directory.isOpen()) {
            close();
            throw new IllegalStateException(directory.path() + " was closed while it was listed");
        }
        long length = read();
        nextEntry = 0;
        end = (int) Math.max(length, 0);
        complete = length == 0;
        if (length <= 0) {
            close();
        }
        if (length < 0) {
            throw new PosixException("list", directory.path().toString(), Errno.of((int) -length));
        }
        return length > 0;
    }

    private long read() {
        try {
            long length;
            do {
                length = Libc.getdents64(reader.errno, descriptor, entriesAddress, LinuxReader.ENTRIES_SIZE);
            } while (length == -Libc.EINTR);
            return length;
        } finally {
            Reference.reachabilityFence(reader);
        }
    }

    private boolean isDots() {
        if (entries.get(ValueLayout.JAVA_BYTE, entry + NAME) != '.') {
            return false;
        }
        byte second = entries.get(ValueLayout.JAVA_BYTE, entry + NAME + 1);
        return second == 0 || (second == '.' && entries.get(ValueLayout.JAVA_BYTE, entry + NAME + 2) == 0);
    }

    @Override
    public Name name() {
        return Name.of(entries, current() + NAME, nameLength());
    }

    @Override
    public int nameLength() {
        // The NUL is in the last 8 bytes of the entry, as entries are no longer than they must be.
        int at = Math.max(current() + NAME, nextEntry - 8);
        while (entries.get(ValueLayout.JAVA_BYTE, at) != 0) {
            at++;
        }
        return at - entry - NAME;
    }

    @Override
    public int copyName(byte[] target, int offset) {
        int length = nameLength();
        MemorySegment.copy(entries, ValueLayout.JAVA_BYTE, entry + NAME, target, offset, length);
        return length;
    }

    @Override
    public int compareName(byte[] other, int from, int to) {
        int length = nameLength();
        int common = Math.min(length, to - from);
        for (int i = 0; i < common; i++) {
            int difference = Byte.compareUnsigned(entries.get(ValueLayout.JAVA_BYTE, entry + NAME + i),
                    other[from + i]);
            if (difference != 0) {
                return difference;
            }
        }
        return length - (to - from);
    }

    @Override
    public boolean nameEquals(Name other) {
        int length = nameLength();
        if (length != other.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (entries.get(ValueLayout.JAVA_BYTE, entry + NAME + i) != other.byteAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long inode() {
        return entries.get(ValueLayout.JAVA_LONG, current());
    }

    @Override
    public FileType type() {
        FileType type = Statx.type(entries.get(ValueLayout.JAVA_BYTE, current() + TYPE));
        return type == FileType.UNKNOWN && (looked || stat(Freshness.CACHED) == Errno.NONE) ? statType() : type;
    }

    @Override
    public Errno stat(Freshness freshness) {
        try {
            long result = Libc.statx(reader.errno, descriptor, entriesAddress + current() + NAME,
                    Statx.flags(freshness),
                    mask, statxAddress);
            looked = result == 0;
            return looked ? Errno.NONE : Errno.of((int) -result);
        } finally {
            Reference.reachabilityFence(reader);
        }
    }

    @Override
    public FileType statType() {
        return Statx.type(looked(Statx.TYPE));
    }

    @Override
    public int mode() {
        return Statx.mode(looked(Statx.MODE));
    }

    @Override
    public int links() {
        return Statx.links(looked(Statx.NLINK));
    }

    @Override
    public int uid() {
        return Statx.uid(looked(Statx.OWNER));
    }

    @Override
    public int gid() {
        return Statx.gid(looked(Statx.OWNER));
    }

    @Override
    public long size() {
        return Statx.size(looked(Statx.STX_SIZE));
    }

    @Override
    public long statInode() {
        return Statx.inode(looked(Statx.INO));
    }

    @Override
    public long device() {
        return Statx.device(looked(0));
    }

    @Override
    public long mtime() {
        return Statx.mtime(looked(Statx.MTIME));
    }

    @Override
    public long ctime() {
        return Statx.ctime(looked(Statx.CTIME));
    }

    @Override
    public void close() {
        entry = -1;
        nextEntry = end;
        looked = false;
        if (!ended) {
            ended = true;
            directory.endListing();
        }
    }

    private int current() {
        if (entry < 0) {
            throw new IllegalStateException("not on an entry of " + directory.path());
        }
        return entry;
    }

    private MemorySegment looked(int field) {
        if (!looked || (mask & field) != field) {
            throw new IllegalStateException(looked
                    ? "the reader was not made for this field"
                    : "this entry of " + directory.path() + " was not looked at, or could not be");
        }
        return statx;
    }
}
