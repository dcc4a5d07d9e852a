package io.entrepot.cli;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A directory that somebody wants to be looked at, as it was typed. */
record GivenDirectory(Path path) {

    /** Where it is. A symbolic link on the command line is followed, as people mean what it leads to. */
    BytePath real() throws IOException {
        try {
            Path real = path.toRealPath();
            if (!Files.isDirectory(real)) {
                throw failure(Errno.ENOTDIR, null);
            }
            return BytePath.of(real);
        } catch (NoSuchFileException e) {
            throw failure(Errno.ENOENT, e.getMessage());
        } catch (AccessDeniedException e) {
            throw failure(Errno.EACCES, e.getMessage());
        } catch (NotDirectoryException e) {
            throw failure(Errno.ENOTDIR, e.getMessage());
        }
    }

    Failure failure(Errno errno, @Nullable String message) {
        if (errno == Errno.ENOENT) {
            return new Failure("scan.no-such-directory", path + " does not exist");
        }
        if (errno == Errno.ENOTDIR) {
            return new Failure("scan.not-a-directory", path + " is not a directory");
        }
        if (errno == Errno.EACCES || errno == Errno.EPERM) {
            return new Failure("scan.no-permission", path + " may not be read; run as somebody who may");
        }
        return new Failure("scan.unreadable", message == null ? path + " cannot be read" : message);
    }
}
