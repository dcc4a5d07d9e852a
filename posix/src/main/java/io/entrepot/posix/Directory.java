package io.entrepot.posix;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * An open directory. Everything is relative to it and nothing follows symbolic links, so a path that changes meanwhile leads
 * nowhere else (where {@link Capability#HELD_DIRECTORIES}; elsewhere it is only a remembered path).
 * <p>
 * Safe for use by many threads. Closing while another thread is in a call lets that call end first; a use after that is an
 * {@link IllegalStateException} and never touches a descriptor that means something else by now. Closing twice is harmless.
 * Calls block the platform thread they run on: see {@link MountPools}.
 */
public interface Directory extends AutoCloseable {

    /** As it was opened; for messages. */
    BytePath path();

    boolean isOpen();

    /** Of the directory itself. */
    Stat stat() throws PosixException;

    Stat stat(Name name, Freshness freshness) throws PosixException;

    /** The same, for whoever often finds nothing of that name: none then, which costs less than an exception. */
    default Optional<Stat> find(Name name, Freshness freshness) throws PosixException {
        try {
            return Optional.of(stat(name, freshness));
        } catch (PosixException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** A sub-directory. A symbolic link is {@link Errno#ELOOP}, anything else {@link Errno#ENOTDIR}. */
    Directory open(Name name) throws PosixException;

    /**
     * A regular file, for reading. A symbolic link is {@link Errno#ELOOP}, a directory {@link Errno#EISDIR}, a device or pipe
     * {@link Errno#EINVAL}; none of them is opened on the way.
     */
    FileChannel openFile(Name name) throws PosixException;

    /**
     * All of a regular file, for whoever reads many small ones: much less than a channel costs. None if it is longer than that.
     * What {@link #openFile} refuses is refused.
     */
    Optional<WholeFile> readWhole(Name name, int most) throws PosixException;

    /** Like {@link #openFile}, for writing and reading; nothing is cut off. */
    FileChannel openToWrite(Name name) throws PosixException;

    /**
     * A new file, for writing and reading; {@link Errno#EEXIST} if there is anything of that name.
     *
     * @param mode the permission bits, less those that the process takes away from all its files; nothing where files have none
     */
    FileChannel create(Name name, int mode) throws PosixException;

    default FileChannel create(Name name) throws PosixException {
        return create(name, 0666);
    }

    /**
     * A new file that is at once all it is to be, for whoever makes many small ones: much less than a channel costs. If it
     * fails there is no such file.
     *
     * @param mode       as in {@link #create(Name, int)}
     * @param content    from its position to its limit, and neither is changed
     * @param attributes as in {@link #setAttribute}
     * @param sync       makes the file durable, but not its name
     */
    void createWhole(Name name, int mode, ByteBuffer content, Map<String, byte[]> attributes, boolean sync)
            throws PosixException;

    /**
     * A small file where it is to stay, for whoever would make it elsewhere and then rename it, which costs as much again. Until it
     * is whole it is {@linkplain Stat#isUnfinished marked}, so that what a crash has left of it is never taken for the file. Needs
     * {@link Capability#MARKED_FILES}, and a file system that keeps the mark: try it.
     *
     * @param mode    as in {@link #create(Name, int)}
     * @param content from its position to its limit, and neither is changed
     * @param wanted  is asked when all is written; if not, the file goes
     * @return whether there is such a file now. If this fails there is none, or one that is marked
     */
    boolean createInPlace(Name name, int mode, ByteBuffer content, Map<String, byte[]> attributes,
            BooleanSupplier wanted) throws PosixException;

    /**
     * In one step. {@link Replacing#NO_REPLACE} is {@link Errno#ENOTSUP} where the system or the file system cannot do it in
     * one step: it is never done in two instead.
     */
    void rename(Name name, Directory target, Name newName, Replacing replacing) throws PosixException;

    void unlink(Name name) throws PosixException;

    /** @param mode as in {@link #create(Name, int)} */
    void makeDirectory(Name name, int mode) throws PosixException;

    default void makeDirectory(Name name) throws PosixException {
        makeDirectory(name, 0777);
    }

    void removeDirectory(Name name) throws PosixException;

    /** A second name for a file. */
    void link(Name name, Directory target, Name newName) throws PosixException;

    /** A user attribute, named without the prefix {@code user.}; none if there is no such attribute. */
    Optional<byte[]> attribute(Name name, String attribute) throws PosixException;

    void setAttribute(Name name, String attribute, byte[] value) throws PosixException;

    /** The names of the user attributes, in no order. */
    List<String> attributes(Name name) throws PosixException;

    /** Whether there was such an attribute. */
    boolean removeAttribute(Name name, String attribute) throws PosixException;

    /** Makes the names in this directory durable. */
    void sync() throws PosixException;

    /** Makes everything on the file system of this directory durable. */
    void syncFileSystem() throws PosixException;

    @Override
    void close();
}
