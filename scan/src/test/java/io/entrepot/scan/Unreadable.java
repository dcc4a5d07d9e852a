package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Mount;
import io.entrepot.posix.Notification;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.StatField;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** The real calls, but some directories cannot be opened: tests run as root, whom nothing is forbidden. */
final class Unreadable implements FileCalls {
    private final FileCalls calls;
    private volatile String ending;

    Unreadable(FileCalls calls, String ending) {
        this.calls = calls;
        this.ending = ending;
    }

    void heal() {
        ending = "/no such name";
    }

    @Override
    public Directory openDirectory(BytePath path) throws PosixException {
        if (path.toString().endsWith(ending)) {
            throw new PosixException("open", path.toString(), Errno.EACCES);
        }
        return calls.openDirectory(path);
    }

    @Override
    public Set<Capability> capabilities() {
        return calls.capabilities();
    }

    @Override
    public DirectoryReader newReader(Set<StatField> fields) {
        return calls.newReader(fields);
    }

    @Override
    public Optional<Notification> notification() {
        return calls.notification();
    }

    @Override
    public Mount mountOf(BytePath path) throws IOException {
        return calls.mountOf(path);
    }
}
