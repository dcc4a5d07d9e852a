package io.entrepot.posix.internal.nio;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Mount;
import io.entrepot.posix.Notification;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.StatField;
import io.entrepot.posix.internal.NioErrors;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Java's own calls. Directories are paths here, so whoever changes a path meanwhile changes what is reached, and what takes
 * two steps is not done in one. Names that are no text in the encoding of the platform work where Java keeps the bytes of a
 * path; elsewhere they are best effort. Without state, so safe for use by many threads.
 */
public final class NioCalls implements FileCalls {

    @Override
    public Set<Capability> capabilities() {
        return NioNames.exact() ? EnumSet.of(Capability.RAW_NAMES) : EnumSet.noneOf(Capability.class);
    }

    @Override
    public Directory openDirectory(BytePath path) throws PosixException {
        return NioDirectory.open(path);
    }

    @Override
    public DirectoryReader newReader(Set<StatField> fields) {
        return new NioReader(fields);
    }

    @Override
    public Optional<Notification> notification() {
        return Optional.empty();
    }

    @Override
    public Mount mountOf(BytePath path) throws IOException {
        Path found = path.toPath().toAbsolutePath().normalize();
        while (!Files.exists(found, LinkOption.NOFOLLOW_LINKS) && found.getParent() != null) {
            found = found.getParent();
        }
        try {
            FileStore store = Files.getFileStore(found);
            Path point = found;
            while (point.getParent() != null && Files.getFileStore(point.getParent()).equals(store)) {
                point = point.getParent();
            }
            return new Mount(-1, BytePath.of(point), store.type(), store.name(), -1);
        } catch (IOException e) {
            throw NioErrors.of("mount", path.toString(), e);
        }
    }
}
