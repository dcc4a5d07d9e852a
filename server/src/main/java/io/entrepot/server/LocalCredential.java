package io.entrepot.server;

import io.entrepot.server.access.Secret;
import io.entrepot.server.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * Where the server is and a key for it, in its data directory, for commands of the same user on the same machine. The key is good
 * until this process ends, whatever becomes of the file. For one thread.
 */
final class LocalCredential implements AutoCloseable {
    static final String NAME = "entrepot.server";

    private final Path file;

    private LocalCredential(Path file) {
        this.file = file;
    }

    static LocalCredential write(Path directory, String address, Secret secret) {
        Path file = directory.resolve(NAME);
        Path next = directory.resolve(NAME + ".next");
        try {
            Files.createDirectories(directory); // with a database elsewhere nobody else has made it
            Files.deleteIfExists(next);
            Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(next, Json.write(Map.of("address", address, "key", secret.written())));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new LocalCredential(file);
        } catch (IOException e) {
            throw new UncheckedIOException("the credential for this machine cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // It is of no use without the server.
        }
    }
}
