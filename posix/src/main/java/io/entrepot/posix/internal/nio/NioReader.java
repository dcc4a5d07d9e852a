package io.entrepot.posix.internal.nio;

import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.StatField;
import io.entrepot.posix.internal.NioErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists by Java's directory streams; keeps no more than the current one. */
final class NioReader implements DirectoryReader {
    private final Set<StatField> fields = EnumSet.of(StatField.TYPE);
    private @Nullable NioCursor current;
    private boolean closed;

    NioReader(Set<StatField> fields) {
        this.fields.addAll(fields);
    }

    @Override
    @SuppressWarnings("StreamResourceLeak") // The cursor closes it.
    public Cursor list(Directory directory) throws PosixException {
        if (closed) {
            throw new IllegalStateException("the reader is closed");
        }
        if (!(directory instanceof NioDirectory nio)) {
            throw new IllegalArgumentException(directory + " was not opened by these calls");
        }
        endCurrent();
        try {
            current = new NioCursor(nio, Files.newDirectoryStream(nio.javaPath()), fields);
            return current;
        } catch (IOException e) {
            throw NioErrors.of("list", directory.path().toString(), e);
        }
    }

    @Override
    public void close() {
        closed = true;
        endCurrent();
    }

    private void endCurrent() {
        if (current != null) {
            current.close();
            current = null;
        }
    }
}
