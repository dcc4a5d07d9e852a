package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Inotify;
import io.entrepot.posix.InotifyEvents;
import io.entrepot.posix.Mount;
import io.entrepot.posix.Name;
import io.entrepot.posix.Notification;
import io.entrepot.posix.PosixException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether notification works for a directory. {@link #judge} only looks: at the system, the file system and whether
 * the directory can be watched. {@link #measure} writes, so it is only for directories where that is allowed. What happens later
 * is evidence too: see {@link NotificationTrust}. Without state, so safe for use by many threads.
 */
public final class NotificationProbe {
    private static final int LEAST_BYTES = 4096;

    private final FileCalls calls;
    private final BootClock clock;

    public NotificationProbe(FileCalls calls, BootClock clock) {
        this.calls = calls;
        this.clock = clock;
    }

    /** Without touching anything in it. */
    public NotificationVerdict judge(BytePath path) throws IOException {
        Mount mount = calls.mountOf(path);
        return refusal(path).<NotificationVerdict>map(NotificationVerdict.NotHere::new)
                .orElseGet(() -> verdict(mount, Optional.empty()));
    }

    /**
     * Makes a file, waits for the event, and removes the file.
     *
     * @param name     of the file; one that nobody else uses
     * @param patience how long an event may take
     */
    public NotificationVerdict measure(BytePath path, Name name, Duration patience)
            throws IOException, InterruptedException {
        NotificationVerdict judged = judge(path);
        if (!judged.isUseful()) {
            return judged;
        }
        Inotify inotify = notification().open();
        try (Directory directory = calls.openDirectory(path)) {
            inotify.add(directory, Inotify.CREATE);
            CompletableFuture<Long> heard = new CompletableFuture<>();
            Thread listening = Thread.ofPlatform().daemon().name("notification-probe")
                    .start(() -> listen(inotify, name, heard));
            long begin = clock.nanos();
            try (FileChannel _ = directory.create(name)) {
                long at = heard.get(patience.toNanos(), TimeUnit.NANOSECONDS);
                return verdict(calls.mountOf(path), Optional.of(Duration.ofNanos(at - begin)));
            } catch (TimeoutException e) {
                return new NotificationVerdict.NotHere("a file was made in " + path + " and no event came within "
                        + patience.toMillis() + " ms");
            } catch (ExecutionException e) {
                return new NotificationVerdict.NotHere("events cannot be read: " + e.getCause());
            } finally {
                remove(directory, name);
                inotify.close();
                listening.join();
            }
        } finally {
            inotify.close();
        }
    }

    private static void remove(Directory directory, Name name) throws PosixException {
        try {
            directory.unlink(name);
        } catch (PosixException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    private void listen(Inotify inotify, Name name, CompletableFuture<Long> heard) {
        InotifyEvents events = new InotifyEvents(LEAST_BYTES);
        try {
            while (!heard.isDone() && inotify.read(events) != Inotify.Outcome.CLOSED) {
                long now = clock.nanos();
                while (events.next()) {
                    if (events.name().filter(name::equals).isPresent()) {
                        heard.complete(now);
                    }
                }
            }
        } catch (PosixException | RuntimeException e) {
            heard.completeExceptionally(e);
        }
    }

    private static NotificationVerdict verdict(Mount mount, Optional<Duration> latency) {
        return mount.isRemote()
                ? new NotificationVerdict.LocalOnly(mount, latency)
                : new NotificationVerdict.Works(mount, latency);
    }

    private Notification notification() throws PosixException {
        return calls.notification().orElseThrow(() -> new PosixException("watch", "inotify", Errno.ENOTSUP));
    }

    private Optional<String> refusal(BytePath path) {
        if (calls.notification().isEmpty()) {
            return Optional.of("there is no inotify on this system");
        }
        return Optional.ofNullable(failure(path)).map(Throwable::getMessage);
    }

    private @Nullable PosixException failure(BytePath path) {
        try (Inotify inotify = notification().open(); Directory directory = calls.openDirectory(path)) {
            inotify.add(directory, Inotify.DELETE_SELF);
            return null;
        } catch (PosixException e) {
            return e;
        }
    }
}
