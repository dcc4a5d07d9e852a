package io.entrepot.posix;

import io.entrepot.posix.internal.linux.LinuxCalls;
import io.entrepot.posix.internal.nio.NioCalls;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** The system's calls on files. Implementations are safe for use by many threads. */
public interface FileCalls {

    /** Linux's own calls where they can be made, else those of {@code java.nio}. */
    static FileCalls system() {
        return LinuxCalls.available().<FileCalls>map(calls -> calls).orElseGet(NioCalls::new);
    }

    /** Plain {@code java.nio}, on any system. */
    static FileCalls nio() {
        return new NioCalls();
    }

    /** What this form can do beyond the rest of the contract. */
    Set<Capability> capabilities();

    default boolean can(Capability capability) {
        return capabilities().contains(capability);
    }

    /**
     * A path of any length where {@link Capability#LONG_PATHS}. If the last name is a symbolic link it is not followed
     * ({@link Errno#ELOOP}); those before are.
     */
    Directory openDirectory(BytePath path) throws PosixException;

    /** @param fields what its cursors can tell of an entry */
    DirectoryReader newReader(Set<StatField> fields);

    default DirectoryReader newReader() {
        return newReader(StatField.usual());
    }

    /** Events about changes, where the system has them in the form of inotify. */
    Optional<Notification> notification();

    /**
     * The mount that a path without symbolic links is on, whether or not there is such a path. On Linux this asks the kernel's
     * list and not the storage, so it does not hang when that does.
     */
    Mount mountOf(BytePath path) throws IOException;
}
