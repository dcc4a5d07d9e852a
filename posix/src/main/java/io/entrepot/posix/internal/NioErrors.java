package io.entrepot.posix.internal;

import io.entrepot.posix.Errno;
import io.entrepot.posix.PosixException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import org.jspecify.annotations.Nullable;

/** What {@code java.nio} throws, as error numbers. What it does not say is {@link Errno#EIO}. */
public final class NioErrors {
    private NioErrors() {}

    public static PosixException of(String call, String path, IOException e) {
        Errno errno = errno(e);
        String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
        PosixException exception = new PosixException(call, path, errno,
                reason == null || reason.equalsIgnoreCase(errno.meaning()) ? "" : reason);
        exception.initCause(e);
        return exception;
    }

    public static Errno errno(IOException e) {
        return switch (e) {
            case PosixException posix -> posix.errno();
            case NoSuchFileException _ -> Errno.ENOENT;
            case AccessDeniedException denied -> byReason(denied.getReason(), Errno.EACCES);
            case FileAlreadyExistsException _ -> Errno.EEXIST;
            case DirectoryNotEmptyException _ -> Errno.ENOTEMPTY;
            case NotDirectoryException _ -> Errno.ENOTDIR;
            case FileSystemLoopException _ -> Errno.ELOOP;
            case NotLinkException _ -> Errno.EINVAL;
            case AtomicMoveNotSupportedException _ -> Errno.EXDEV;
            case FileSystemException other -> byReason(other.getReason(), Errno.EIO);
            default -> byReason(e.getMessage(), Errno.EIO);
        };
    }

    /** The C library's words, when it speaks English. */
    private static Errno byReason(@Nullable String reason, Errno otherwise) {
        if (reason == null) {
            return otherwise;
        }
        // "Too many levels of symbolic links or unable to access attributes of symbolic link"
        if (reason.startsWith("Too many levels of symbolic links")) {
            return Errno.ELOOP;
        }
        // "Error writing extended attribute 'user.x': Operation not supported"
        return Errno.ofMeaning(reason.substring(reason.lastIndexOf(": ") < 0 ? 0 : reason.lastIndexOf(": ") + 2))
                .orElse(otherwise);
    }
}
