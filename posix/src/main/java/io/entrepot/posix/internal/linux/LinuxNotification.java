package io.entrepot.posix.internal.linux;

import io.entrepot.posix.Errno;
import io.entrepot.posix.Inotify;
import io.entrepot.posix.Notification;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.internal.NioErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Notification by inotify. */
final class LinuxNotification implements Notification {
    private static final Path SETTINGS = Path.of("/proc/sys/fs/inotify");

    @Override
    public Inotify open() throws PosixException {
        try (Scratch scratch = Scratch.take()) {
            int inotify = Libc.inotifyInit(scratch.errno);
            if (inotify < 0) {
                throw new PosixException("inotify_init", "inotify", Errno.of(-inotify),
                        inotify == -Errno.EMFILE.number()
                                ? "too many for this process or user: see fs.inotify.max_user_instances"
                                : "");
            }
            int wake = Libc.eventfd(scratch.errno);
            if (wake < 0) {
                Libc.close(scratch.errno, inotify);
                throw new PosixException("eventfd", "inotify", Errno.of(-wake));
            }
            return new LinuxInotify(new Descriptor(inotify), new Descriptor(wake));
        }
    }

    @Override
    public Limits limits() throws PosixException {
        return new Limits(setting("max_user_watches"), setting("max_queued_events"), setting("max_user_instances"));
    }

    private static int setting(String name) throws PosixException {
        Path file = SETTINGS.resolve(name);
        try {
            return Integer.parseInt(Files.readString(file).strip());
        } catch (IOException e) {
            throw NioErrors.of("read", file.toString(), e);
        } catch (NumberFormatException e) {
            throw new PosixException("read", file.toString(), Errno.EINVAL);
        }
    }
}
