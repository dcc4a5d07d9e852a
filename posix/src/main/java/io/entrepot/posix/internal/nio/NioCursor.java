package io.entrepot.posix.internal.nio;

import io.entrepot.posix.Cursor;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.posix.StatField;
import io.entrepot.posix.internal.NioErrors;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A walk through one of Java's directory streams, which leave out {@code .} and {@code ..} themselves. */
final class NioCursor implements Cursor {
    private final NioDirectory directory;
    private final DirectoryStream<Path> stream;
    private final Iterator<Path> entries;
    private final Set<StatField> fields;

    private @Nullable Path entry;
    private @Nullable Name name;
    private @Nullable Stat stat;
    private boolean ended;
    private boolean complete;

    NioCursor(NioDirectory directory, DirectoryStream<Path> stream, Set<StatField> fields) {
        this.directory = directory;
        this.stream = stream;
        this.entries = stream.iterator();
        this.fields = fields;
    }

    @Override
    public boolean next() throws PosixException {
        entry = null;
        name = null;
        stat = null;
        if (ended) {
            if (complete) {
                return false;
            }
            throw new IllegalStateException("the listing of " + directory.path() + " was ended or cut short");
        }
        if (!directory.isOpen()) {
            close();
            throw new IllegalStateException(directory.path() + " was closed while it was listed");
        }
        try {
            if (entries.hasNext()) {
                entry = entries.next();
                return true;
            }
        } catch (DirectoryIteratorException e) {
            close();
            IOException cause = e.getCause();
            throw NioErrors.of("list", directory.path().toString(), cause == null ? new IOException(e) : cause);
        }
        complete = true;
        close();
        return false;
    }

    @Override
    public Name name() {
        if (name == null) {
            Path last = current().getFileName();
            if (last == null) {
                throw new IllegalStateException("an entry without a name in " + directory.path());
            }
            name = Name.of(NioNames.bytes(last, current()));
        }
        return name;
    }

    @Override
    public int nameLength() {
        return name().length();
    }

    @Override
    public int copyName(byte[] target, int offset) {
        name().copyTo(target, offset);
        return name().length();
    }

    @Override
    public int compareName(byte[] other, int from, int to) {
        return name().compareTo(other, from, to);
    }

    @Override
    public boolean nameEquals(Name other) {
        return name().equals(other);
    }

    /** Java does not tell what the listing has; 0 if the entry cannot be looked at. */
    @Override
    public long inode() {
        Stat seen = seen();
        return seen == null ? 0 : seen.inode();
    }

    @Override
    public FileType type() {
        Stat seen = seen();
        return seen == null ? FileType.UNKNOWN : seen.type();
    }

    private @Nullable Stat seen() {
        if (stat == null) {
            stat(Freshness.CACHED);
        }
        return stat;
    }

    @Override
    public Errno stat(Freshness freshness) {
        stat = null;
        try {
            stat = NioStat.of(current());
            return Errno.NONE;
        } catch (IOException e) {
            return NioErrors.errno(e);
        }
    }

    @Override
    public FileType statType() {
        return looked(StatField.TYPE).type();
    }

    @Override
    public int mode() {
        return looked(StatField.MODE).mode();
    }

    @Override
    public int links() {
        return looked(StatField.LINKS).links();
    }

    @Override
    public int uid() {
        return looked(StatField.OWNER).uid();
    }

    @Override
    public int gid() {
        return looked(StatField.OWNER).gid();
    }

    @Override
    public long size() {
        return looked(StatField.SIZE).size();
    }

    @Override
    public long statInode() {
        return looked(StatField.INODE).inode();
    }

    @Override
    public long device() {
        return looked(StatField.TYPE).device();
    }

    @Override
    public long mtime() {
        return looked(StatField.MTIME).mtime();
    }

    @Override
    public long ctime() {
        return looked(StatField.CTIME).ctime();
    }

    @Override
    public void close() {
        entry = null;
        stat = null;
        if (!ended) {
            ended = true;
            try {
                stream.close();
            } catch (IOException e) {
                // What was read is read; there is nothing to lose by closing a directory.
            }
        }
    }

    private Path current() {
        if (entry == null) {
            throw new IllegalStateException("not on an entry of " + directory.path());
        }
        return entry;
    }

    private Stat looked(StatField field) {
        if (stat == null || !fields.contains(field)) {
            throw new IllegalStateException(stat == null
                    ? "this entry of " + directory.path() + " was not looked at, or could not be"
                    : "the reader was not made for this field");
        }
        return stat;
    }
}
