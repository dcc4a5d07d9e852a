package io.entrepot.posix;

/**
 * One listing of a directory. Stands on one entry at a time; nothing it gives is allocated except by {@link #name}. Without
 * {@code .} and {@code ..}. Entries made or removed while it runs may or may not be in it; all others are, once.
 * <p>
 * For the thread of its {@link DirectoryReader}. To look into sub-directories on the way, remember their names and list them
 * afterwards, or use another reader.
 */
public interface Cursor extends AutoCloseable {

    /**
     * Goes to the next entry.
     *
     * @return false when the listing is complete
     * @throws PosixException if it was cut short: what came before is then not all there is
     */
    boolean next() throws PosixException;

    /** A new object. */
    Name name();

    /** In bytes. */
    int nameLength();

    /** Copies the bytes of the name; returns how many. */
    int copyName(byte[] target, int offset);

    /** Like {@link Name#compareTo}, without making one. */
    int compareName(byte[] other, int from, int to);

    boolean nameEquals(Name other);

    /** As the listing has it: for a mount point that of the directory underneath. */
    long inode();

    /** As the listing has it. If the file system does not say, the entry is looked at. */
    FileType type();

    /**
     * Looks at the entry; not at what a symbolic link leads to. Failing is a result and no exception, as entries vanish.
     *
     * @return {@link Errno#NONE} if the values below can be read
     */
    Errno stat(Freshness freshness);

    // What the last stat of this entry gave. IllegalStateException if there was none, it failed, or the reader was not made
    // for that field.

    FileType statType();

    int mode();

    int links();

    int uid();

    int gid();

    long size();

    long statInode();

    /** As {@link Stat#device}. */
    long device();

    /** As {@link EpochNanos}. */
    long mtime();

    /** As {@link EpochNanos}. */
    long ctime();

    /** Ends the listing early. Harmless when it has ended. */
    @Override
    void close();
}
