package io.entrepot.posix.internal.linux;

import io.entrepot.posix.Errno;
import io.entrepot.posix.Inotify;
import io.entrepot.posix.Notification;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.internal.NioErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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
        // In one read: the kernel gives a setting whole to the first one and nothing to those after, and Java's own
        // methods begin with a read of one byte where a file says that it is empty, as these do.
        ByteBuffer text = ByteBuffer.allocate(64);
        try (FileChannel channel = FileChannel.open(file)) {
            channel.read(text);
            return Integer.parseInt(new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip());
        } catch (IOException e) {
            throw NioErrors.of("read", file.toString(), e);
        } catch (NumberFormatException e) {
            throw new PosixException("read", file.toString(), Errno.EINVAL);
        }
    }
}
