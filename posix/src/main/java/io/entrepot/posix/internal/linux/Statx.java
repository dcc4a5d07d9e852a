package io.entrepot.posix.internal.linux;

import io.entrepot.posix.EpochNanos;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Stat;
import io.entrepot.posix.StatField;
import io.entrepot.posix.internal.DeviceNumber;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.OptionalLong;
import java.util.Set;

/** The kernel's {@code struct statx}, which is the same on all processors. */
final class Statx {
    static final int SIZE = 256;

    static final int TYPE = 0x1;
    static final int MODE = 0x2;
    static final int NLINK = 0x4;
    static final int OWNER = 0x8 | 0x10;
    static final int MTIME = 0x40;
    static final int CTIME = 0x80;
    static final int INO = 0x100;
    static final int STX_SIZE = 0x200;
    private static final int BTIME = 0x800;
    private static final int MNT_ID = 0x1000;
    static final int ALL = TYPE | MODE | NLINK | OWNER | MTIME | CTIME | INO | STX_SIZE | BTIME | MNT_ID;

    private Statx() {}

    static int flags(Freshness freshness) {
        return Libc.AT_SYMLINK_NOFOLLOW | Libc.AT_NO_AUTOMOUNT
                | (freshness == Freshness.UNCACHED ? Libc.AT_STATX_FORCE_SYNC : 0);
    }

    static int mask(Set<StatField> fields) {
        int mask = TYPE;
        for (StatField field : fields) {
            mask |= switch (field) {
                case TYPE -> TYPE;
                case MODE -> MODE;
                case LINKS -> NLINK;
                case OWNER -> OWNER;
                case INODE -> INO;
                case SIZE -> STX_SIZE;
                case MTIME -> MTIME;
                case CTIME -> CTIME;
            };
        }
        return mask;
    }

    static int links(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_INT, 16);
    }

    static int uid(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_INT, 20);
    }

    static int gid(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_INT, 24);
    }

    static int mode(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_SHORT, 28) & 0xfff;
    }

    static FileType type(MemorySegment statx) {
        return type(statx.get(ValueLayout.JAVA_SHORT, 28) >> 12 & 0xf);
    }

    /** The upper bits of the mode; a directory entry has the same numbers. */
    static FileType type(int bits) {
        return switch (bits) {
            case 0 -> FileType.UNKNOWN;
            case 4 -> FileType.DIRECTORY;
            case 8 -> FileType.FILE;
            case 10 -> FileType.SYMLINK;
            default -> FileType.OTHER;
        };
    }

    static long inode(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_LONG, 32);
    }

    static long size(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_LONG, 40);
    }

    static long ctime(MemorySegment statx) {
        return time(statx, 96);
    }

    static long mtime(MemorySegment statx) {
        return time(statx, 112);
    }

    static long device(MemorySegment statx) {
        return DeviceNumber.of(statx.get(ValueLayout.JAVA_INT, 136), statx.get(ValueLayout.JAVA_INT, 140));
    }

    static Stat toStat(MemorySegment statx) {
        int given = statx.get(ValueLayout.JAVA_INT, 0);
        return new Stat(type(statx), mode(statx), links(statx), uid(statx), gid(statx), size(statx), inode(statx),
                device(statx),
                (given & MNT_ID) != 0 ? OptionalLong.of(statx.get(ValueLayout.JAVA_LONG, 144)) : OptionalLong.empty(),
                mtime(statx), ctime(statx),
                (given & BTIME) != 0 ? OptionalLong.of(time(statx, 80)) : OptionalLong.empty());
    }

    private static long time(MemorySegment statx, int at) {
        return EpochNanos.of(statx.get(ValueLayout.JAVA_LONG, at), statx.get(ValueLayout.JAVA_INT, at + 8));
    }
}
