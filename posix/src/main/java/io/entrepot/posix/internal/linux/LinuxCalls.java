package io.entrepot.posix.internal.linux;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Mount;
import io.entrepot.posix.MountPoints;
import io.entrepot.posix.Notification;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.StatField;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The calls of Linux, by the C library. Without state, so safe for use by many threads. */
public final class LinuxCalls implements FileCalls {

    private LinuxCalls() {}

    /** None on other systems and processors, without native access, and where a sandbox forbids the calls. */
    public static Optional<LinuxCalls> available() {
        return Trial.PASSED ? Optional.of(new LinuxCalls()) : Optional.empty();
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public Directory openDirectory(BytePath path) throws PosixException {
        try (Scratch scratch = Scratch.take()) {
            int opened = LongPaths.open(scratch, path, LinuxDirectory.OPEN_FLAGS);
            if (opened == -Errno.ENOTDIR.number()) {
                int link = LongPaths.open(scratch, path, Libc.O_PATH | Libc.O_NOFOLLOW | Libc.O_CLOEXEC);
                throw LinuxDirectory.notADirectory(scratch, link, path);
            }
            if (opened < 0) {
                throw new PosixException("open", path.toString(), Errno.of(-opened));
            }
            return new LinuxDirectory(new Descriptor(opened), path);
        }
    }

    @Override
    public DirectoryReader newReader(Set<StatField> fields) {
        return new LinuxReader(Statx.mask(fields));
    }

    @Override
    public Optional<Notification> notification() {
        return Optional.of(new LinuxNotification());
    }

    @Override
    public Mount mountOf(BytePath path) throws IOException {
        BytePath absolute = path.isAbsolute() ? path : BytePath.of(path.toPath().toAbsolutePath().normalize());
        return MountPoints.read().of(absolute)
                .orElseThrow(() -> new PosixException("mount", path.toString(), Errno.ENOENT));
    }

    /** Tried once, the first time somebody asks. */
    private static final class Trial {
        static final boolean PASSED = passed();

        private static boolean passed() {
            String processor = System.getProperty("os.arch", "");
            if (!System.getProperty("os.name", "").equals("Linux")
                    || !Set.of("amd64", "aarch64").contains(processor)) {
                return false;
            }
            try (Scratch scratch = Scratch.take()) {
                return Libc.statx(scratch.errno, Libc.AT_FDCWD, scratch.first(BytePath.ROOT, 0, 1), 0, Statx.ALL,
                        scratch.statx()) == 0;
            } catch (LinkageError | RuntimeException e) {
                // No native access, or another C library that lacks one of the functions.
                return false;
            }
        }
    }
}
