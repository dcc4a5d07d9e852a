package io.entrepot.posix.internal.nio;

import io.entrepot.posix.EpochNanos;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Stat;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.OptionalLong;

/** Attributes by {@code java.nio}: those of Unix where there are such, else what any system has. */
final class NioStat {
    private static final boolean UNIX = FileSystems.getDefault().supportedFileAttributeViews().contains("unix");

    private NioStat() {}

    /** For what is being made; none where there are no such bits. */
    static FileAttribute<?>[] permissions(int mode) {
        if (!UNIX) {
            return new FileAttribute<?>[0];
        }
        EnumSet<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        int bit = 0400;
        // Declared in the order of the bits: read, write, execute for owner, group, others.
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            if ((mode & bit) != 0) {
                permissions.add(permission);
            }
            bit >>= 1;
        }
        return new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(permissions)};
    }

    static Stat of(Path path) throws IOException {
        if (!UNIX) {
            return plain(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        }
        Map<String, Object> unix = Files.readAttributes(path,
                "unix:mode,nlink,uid,gid,size,ino,dev,lastModifiedTime,ctime,isRegularFile,isDirectory,isSymbolicLink",
                LinkOption.NOFOLLOW_LINKS);
        return new Stat(
                type((Boolean) value(unix, "isRegularFile"), (Boolean) value(unix, "isDirectory"),
                        (Boolean) value(unix, "isSymbolicLink")),
                (Integer) value(unix, "mode") & 0xfff, (Integer) value(unix, "nlink"), (Integer) value(unix, "uid"),
                (Integer) value(unix, "gid"), (Long) value(unix, "size"), (Long) value(unix, "ino"),
                (Long) value(unix, "dev"), OptionalLong.empty(), nanos((FileTime) value(unix, "lastModifiedTime")),
                nanos((FileTime) value(unix, "ctime")), OptionalLong.empty());
    }

    /** There is no inode to tell, and no change time but the other one. */
    private static Stat plain(BasicFileAttributes basic) {
        long mtime = nanos(basic.lastModifiedTime());
        return new Stat(type(basic.isRegularFile(), basic.isDirectory(), basic.isSymbolicLink()), 0, 1, 0, 0,
                basic.size(),
                0, 0, OptionalLong.empty(), mtime, mtime, OptionalLong.of(nanos(basic.creationTime())));
    }

    private static FileType type(boolean file, boolean directory, boolean link) {
        return file ? FileType.FILE : directory ? FileType.DIRECTORY : link ? FileType.SYMLINK : FileType.OTHER;
    }

    private static long nanos(FileTime time) {
        return EpochNanos.of(time.toInstant());
    }

    private static Object value(Map<String, Object> attributes, String key) {
        Object value = attributes.get(key);
        if (value == null) {
            throw new IllegalStateException("no attribute " + key);
        }
        return value;
    }
}
