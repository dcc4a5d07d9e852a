package io.entrepot.pool.volume;

import io.entrepot.posix.Errno;
import io.entrepot.posix.MountHangsException;
import io.entrepot.posix.PosixException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** What the calls of a system say, as the pool decides by it. */
final class Failures {
    private Failures() {}

    static VolumeException of(String volume, Object what, IOException e) {
        return new VolumeException(kind(e), "volume " + volume + ": " + what + ": " + e.getMessage(), e);
    }

    static VolumeException.Kind kind(IOException e) {
        return switch (e) {
            case Fault fault -> fault.kind();
            case MountHangsException _ -> VolumeException.Kind.HANGS;
            default -> kind(errno(e));
        };
    }

    private static VolumeException.Kind kind(Errno errno) {
        if (errno == Errno.ENOSPC || errno == Errno.EDQUOT) {
            return VolumeException.Kind.FULL;
        }
        if (errno == Errno.EROFS) {
            return VolumeException.Kind.READ_ONLY;
        }
        if (errno == Errno.ENOENT) {
            return VolumeException.Kind.MISSING;
        }
        return errno == Errno.EEXIST ? VolumeException.Kind.EXISTS : VolumeException.Kind.BROKEN;
    }

    /** What Java's own channels throw has no number, only the C library's words. */
    static Errno errno(IOException e) {
        return switch (e) {
            case PosixException posix -> posix.errno();
            case NoSuchFileException _ -> Errno.ENOENT;
            case FileAlreadyExistsException _ -> Errno.EEXIST;
            case AccessDeniedException _ -> Errno.EACCES;
            case FileSystemException other -> byMeaning(other.getReason());
            default -> byMeaning(e.getMessage());
        };
    }

    /** Whether the directory that was used, or something in it, is not there (any more); servers forget with ESTALE. */
    static boolean isGone(IOException e) {
        Errno errno = errno(e);
        return errno == Errno.ENOENT || errno == Errno.ESTALE;
    }

    private static Errno byMeaning(@Nullable String words) {
        return words == null ? Errno.EIO : Errno.ofMeaning(words).orElse(Errno.EIO);
    }
}
