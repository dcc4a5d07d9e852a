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
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

public final class NioCalls implements FileCalls {
    @Override
    public Set<Capability> capabilities() {
        return NioNames.exact() ? EnumSet.of(Capability.RAW_NAMES) : EnumSet.noneOf(Capability.class);
    }

    @Override
    public Directory openDirectory(BytePath path) throws PosixException {
        throw new UnsupportedOperationException();
    }

    @Override
    public DirectoryReader newReader(Set<StatField> fields) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Notification> notification() {
        return Optional.empty();
    }

    @Override
    public Mount mountOf(BytePath path) throws IOException {
        throw new UnsupportedOperationException();
    }
}
