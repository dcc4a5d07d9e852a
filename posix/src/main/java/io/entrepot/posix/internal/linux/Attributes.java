package io.entrepot.posix.internal.linux;

import io.entrepot.posix.Errno;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * User attributes of an entry, by {@code /proc/self/fd/N/name} and the calls that do not follow a link in the last place:
 * older kernels have no form relative to a directory, and one by an open descriptor would need leave to read the file.
 */
final class Attributes {
    private static final String PREFIX = "user.";
    private static final int USUAL_ROOM = 4096;

    private Attributes() {}

    static Optional<byte[]> get(Scratch scratch, int directory, LinuxDirectory parent, Name name, String attribute)
            throws PosixException {
        long path = path(scratch, directory, parent, name);
        long key = key(scratch, parent, name, attribute);
        try (Arena arena = Arena.ofConfined()) {
            for (long room = USUAL_ROOM;;) {
                MemorySegment value = arena.allocate(room);
                long length = Libc.lgetxattr(scratch.errno, path, key, value.address(), room);
                if (length == -Errno.ENODATA.number()) {
                    return Optional.empty();
                }
                if (length != -Errno.ERANGE.number()) {
                    parent.check("getxattr", name, length);
                    return Optional.of(value.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
                }
                room = bigger(room, Libc.lgetxattr(scratch.errno, path, key, 0, 0));
            }
        }
    }

    static long setByName(Scratch scratch, int directory, LinuxDirectory parent, Name name, String attribute,
            byte[] value)
            throws PosixException {
        long path = path(scratch, directory, parent, name);
        long key = key(scratch, parent, name, attribute);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Math.max(1, value.length));
            MemorySegment.copy(value, 0, copy, ValueLayout.JAVA_BYTE, 0, value.length);
            return parent.check("setxattr", name,
                    Libc.lsetxattr(scratch.errno, path, key, copy.address(), value.length));
        }
    }

    /** Of a file that is open. */
    static long set(Scratch scratch, int file, LinuxDirectory parent, Name name, String attribute, byte[] value)
            throws PosixException {
        MemorySegment copy = scratch.content();
        if (value.length > copy.byteSize()) {
            throw new PosixException("setxattr", parent.path().resolve(name).toString(), Errno.E2BIG);
        }
        MemorySegment.copy(value, 0, copy, ValueLayout.JAVA_BYTE, 0, value.length);
        return parent.check("setxattr", name, Libc.fsetxattr(scratch.errno, file,
                key(scratch, parent, name, attribute), copy.address(), value.length));
    }

    static List<String> list(Scratch scratch, int directory, LinuxDirectory parent, Name name) throws PosixException {
        long path = path(scratch, directory, parent, name);
        try (Arena arena = Arena.ofConfined()) {
            for (long room = USUAL_ROOM;;) {
                MemorySegment names = arena.allocate(room);
                long length = Libc.llistxattr(scratch.errno, path, names.address(), room);
                if (length != -Errno.ERANGE.number()) {
                    parent.check("listxattr", name, length);
                    return ofUser(names.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
                }
                room = bigger(room, Libc.llistxattr(scratch.errno, path, 0, 0));
            }
        }
    }

    static boolean remove(Scratch scratch, int directory, LinuxDirectory parent, Name name, String attribute)
            throws PosixException {
        long path = path(scratch, directory, parent, name);
        int result = Libc.lremovexattr(scratch.errno, path, key(scratch, parent, name, attribute));
        if (result == -Errno.ENODATA.number()) {
            return false;
        }
        parent.check("removexattr", name, result);
        return true;
    }

    private static long path(Scratch scratch, int directory, LinuxDirectory parent, Name name) throws PosixException {
        return parent.address(scratch.firstThrough(directory, name), "xattr", name);
    }

    private static long key(Scratch scratch, LinuxDirectory parent, Name name, String attribute) throws PosixException {
        if (attribute.isEmpty() || attribute.indexOf(0) >= 0) {
            throw new IllegalArgumentException("'" + attribute + "' is not the name of an attribute");
        }
        return parent.address(scratch.second((PREFIX + attribute).getBytes(StandardCharsets.UTF_8)), "xattr", name);
    }

    /** Room for what is there now, or more than there was if that has changed again. */
    private static long bigger(long room, long needed) {
        return Math.max(needed, room * 2);
    }

    /** Names end with a NUL each. */
    private static List<String> ofUser(byte[] names) {
        List<String> user = new ArrayList<>();
        for (String name : new String(names, StandardCharsets.UTF_8).split("\0", -1)) {
            if (name.startsWith(PREFIX)) {
                user.add(name.substring(PREFIX.length()));
            }
        }
        return List.copyOf(user);
    }
}
