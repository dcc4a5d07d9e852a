package io.entrepot.pool.volume;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Replacing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * The directory that is a volume, held open, with what makes it one: {@code .entrepot/volume} names it, and what is being
 * written is in {@code .entrepot/incoming}. A mount point without its storage is an empty directory; without the name nothing
 * is taken for the volume. All calls block: for the mount's threads. Immutable but for closing.
 */
final class VolumeRoot implements AutoCloseable {
    static final Name META = Name.of(".entrepot");
    static final Name IDENTITY = Name.of("volume");
    static final String DESCRIPTION = "entrepot";
    static final int DIRECTORY_MODE = 0750;
    static final int FILE_MODE = 0640;
    private static final int OWNER_ONLY = 0600;
    static final Name SETTINGS = Name.of("settings");
    private static final Name NEW_SETTINGS = Name.of("settings.new");
    static final Name INCOMING = Name.of("incoming");
    private static final int LONGEST_IDENTITY = 4096;

    private final FileCalls calls;
    private final String volume;
    private final Path path;
    private final Directory top;
    private final Directory incoming;
    private final boolean described;
    private final boolean marks;
    private final TempNames names;

    private VolumeRoot(FileCalls calls, String volume, Path path, Directory top, Directory incoming,
            boolean described, boolean marks, TempNames names) {
        this.calls = calls;
        this.volume = volume;
        this.path = path;
        this.top = top;
        this.incoming = incoming;
        this.described = described;
        this.marks = marks;
        this.names = names;
    }

    /** @param create make it a volume if it is none */
    static VolumeRoot open(FileCalls calls, String volume, Path path, boolean create, TempNames names)
            throws IOException {
        if (create) {
            makeDurably(calls, path);
        }
        Path real;
        try {
            real = path.toRealPath();
        } catch (IOException e) {
            throw Failures.isGone(e) ? Fault.notTheVolume(path + " is not there") : e;
        }
        Directory top = calls.openDirectory(BytePath.of(real));
        try (Directory meta = meta(top, create)) {
            if (create && identity(meta).isEmpty()) {
                name(top, meta, volume, names.next());
            }
            check(meta, volume, create ? howToMount(meta) : "");
            boolean described = canDescribe(meta, volume);
            Directory incoming = directory(meta, INCOMING);
            boolean marks = calls.can(Capability.MARKED_FILES) && !calls.mountOf(BytePath.of(real)).isRemote()
                    && canMark(incoming, names.next());
            return new VolumeRoot(calls, volume, real, top, incoming, described, marks, names);
        } catch (IOException | RuntimeException e) {
            top.close();
            throw e;
        }
    }

    String volume() {
        return volume;
    }

    /** Without symbolic links. */
    Path path() {
        return path;
    }

    Directory top() {
        return top;
    }

    Directory incoming() {
        return incoming;
    }

    boolean described() {
        return described;
    }

    /**
     * Whether a file can be {@linkplain Directory#createInPlace made in its place}. Not on network storage, where what was written may be
     * lost after the mark has gone, and names may be somebody else's by then.
     */
    boolean marks() {
        return marks;
    }

    /** Whether it has a description, which it gets when all else is written: then a mark says nothing, whoever made it. */
    boolean isDescribed(Directory directory, Name name) throws PosixException {
        return described && directory.attribute(name, DESCRIPTION).isPresent();
    }

    FileCalls calls() {
        return calls;
    }

    /** Whether what is at the path now is this volume, and what is held open. */
    void check() throws IOException {
        try (Directory now = calls.openDirectory(BytePath.of(path)); Directory meta = now.open(META)) {
            check(meta, volume, "");
            if (!now.stat().isSameFile(top.stat())) {
                throw Fault.notTheVolume("another directory is at " + path + " now; open the volume again");
            }
        } catch (PosixException e) {
            throw gone(e) ? Fault.notTheVolume(path + " is not mounted or not a volume: " + e.getMessage()) : e;
        }
    }

    /** The settings are whole, or as before. */
    void keepSettings(byte[] settings) throws IOException {
        try (Directory meta = top.open(META)) {
            remove(meta, NEW_SETTINGS); // of a try that was cut short
            try (FileChannel channel = meta.create(NEW_SETTINGS, OWNER_ONLY)) {
                ByteBuffer bytes = ByteBuffer.wrap(settings);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            meta.rename(NEW_SETTINGS, meta, SETTINGS, Replacing.REPLACE);
            meta.sync();
        }
    }

    /** It has no name any more, nor settings of a pool. A crash leaves it named, or not. */
    void unname() throws IOException {
        check();
        try (Directory meta = top.open(META)) {
            remove(meta, NEW_SETTINGS);
            remove(meta, SETTINGS);
            remove(meta, IDENTITY);
            meta.sync();
        }
    }

    private static void remove(Directory meta, Name name) throws PosixException {
        try {
            meta.unlink(name);
        } catch (PosixException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    /** Takes away what was being written. If that fails it is found with what was begun. */
    void drop(Name temp) {
        try {
            incoming.unlink(temp);
        } catch (PosixException e) {
            // Most often it is gone already, or nothing can be changed here any more.
        }
    }

    /**
     * Says whether a sync that has succeeded is to be believed. A file system that cannot write its journal gives up for good,
     * and tells those who wait for that commit. Everybody else's changes of that time are lost too, and their syncs succeed:
     * there is nothing left to write. But nothing can be changed from then on. So if something can, all that was synced
     * before is on the disk.
     */
    void requireAlive() throws IOException {
        Name probe = names.next();
        try {
            incoming.createWhole(probe, FILE_MODE, ByteBuffer.allocate(0), Map.of(), false);
        } catch (PosixException e) {
            if (e.is(Errno.ENOSPC) || e.is(Errno.EDQUOT) || e.is(Errno.EEXIST)) {
                return; // it can be asked, and says no to this
            }
            throw new Fault(VolumeException.Kind.BROKEN, "it has given up since, and with it what was synced: " + e);
        }
        drop(probe);
    }

    @Override
    public void close() {
        incoming.close();
        top.close();
    }

    private static Directory meta(Directory top, boolean create) throws IOException {
        try {
            return create ? directory(top, META) : top.open(META);
        } catch (PosixException e) {
            throw gone(e) ? Fault.notTheVolume(top.path() + " is not mounted or not a volume: it has no " + META) : e;
        }
    }

    private static Directory directory(Directory parent, Name name) throws PosixException {
        try {
            return parent.open(name);
        } catch (PosixException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
        try {
            parent.makeDirectory(name, DIRECTORY_MODE);
            parent.sync();
        } catch (PosixException e) {
            if (!e.is(Errno.EEXIST)) {
                throw e;
            }
        }
        return parent.open(name);
    }

    /** Names it, unless somebody else does just now. After a crash it has no name or the whole of it. */
    private static void name(Directory top, Directory meta, String volume, Name temp) throws IOException {
        try (Directory incoming = directory(meta, INCOMING)) {
            try (FileChannel identity = incoming.create(temp, FILE_MODE)) {
                identity.write(ByteBuffer.wrap(text(volume).getBytes(StandardCharsets.UTF_8)));
                identity.force(true);
            }
            try {
                new NoReplace().move(incoming, temp, meta, IDENTITY);
            } catch (PosixException e) {
                incoming.unlink(temp);
                if (!e.is(Errno.EEXIST)) {
                    throw e;
                }
            }
        }
        meta.sync();
        top.sync();
    }

    /** @param advice what can be done if it is another one */
    private static void check(Directory meta, String volume, String advice) throws IOException {
        String found = identity(meta).orElseThrow(
                () -> Fault.notTheVolume(meta.path() + " is not that of a volume: there is no " + IDENTITY + " in it"));
        if (!found.equals(text(volume))) {
            throw Fault.notTheVolume(meta.path() + " is that of \"" + found.strip() + "\", not of " + volume
                    + advice);
        }
    }

    private static String howToMount(Directory meta) {
        return ": it is in use by a pool, or was given up, or its pool is gone. If no pool uses it any more, remove "
                + meta.path().resolve(IDENTITY) + " and mount it again; files that are there are orphans then";
    }

    private static Optional<String> identity(Directory meta) throws IOException {
        try (FileChannel identity = meta.openFile(IDENTITY)) {
            ByteBuffer content = ByteBuffer.allocate((int) Math.min(identity.size(), LONGEST_IDENTITY));
            while (content.hasRemaining() && identity.read(content) >= 0) {
                // a read may be short
            }
            return Optional.of(new String(content.array(), 0, content.position(), StandardCharsets.UTF_8));
        } catch (PosixException e) {
            if (gone(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static String text(String volume) {
        return "entrepot volume " + volume + "\n";
    }

    /** Found out by doing it; what was described before can be read on a volume that cannot be written now. */
    private static boolean canDescribe(Directory meta, String volume) throws PosixException {
        try {
            if (meta.attribute(IDENTITY, DESCRIPTION).isEmpty()) {
                meta.setAttribute(IDENTITY, DESCRIPTION, volume.getBytes(StandardCharsets.UTF_8));
            }
            return true;
        } catch (PosixException e) {
            if (e.is(Errno.ENOTSUP) || e.is(Errno.EROFS) || e.is(Errno.EPERM) || e.is(Errno.EACCES)) {
                return false;
            }
            throw e;
        }
    }

    /** Found out by doing it. Storage that cannot be written now is one that does not, and nobody will make files there. */
    private static boolean canMark(Directory incoming, Name probe) {
        try {
            boolean marked = incoming.createInPlace(probe, FILE_MODE, ByteBuffer.allocate(0), Map.of(),
                    () -> isMarked(incoming, probe));
            boolean unmarked = marked && !isMarked(incoming, probe);
            if (marked) {
                incoming.unlink(probe);
            }
            return unmarked;
        } catch (PosixException e) {
            return false;
        }
    }

    private static boolean isMarked(Directory incoming, Name probe) {
        try {
            return incoming.stat(probe, Freshness.UNCACHED).isUnfinished();
        } catch (PosixException e) {
            return false;
        }
    }

    private static boolean gone(PosixException e) {
        return e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.ESTALE);
    }

    private static void makeDurably(FileCalls calls, Path path) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path at = path; at != null && !Files.exists(at); at = at.getParent()) {
            missing.push(at);
        }
        for (Path next : missing) {
            Path parent = next.getParent();
            try (Directory above = calls.openDirectory(BytePath.of((parent == null ? next : parent).toRealPath()))) {
                directory(above, Name.of(next.getFileName().toString())).close();
            }
        }
    }
}
