package io.entrepot.pool.volume;

import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDirectory;
import io.entrepot.lease.Nonces;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.MountPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A volume for one test, in memory, with threads of its own; gone when closed. */
final class LocalVolume implements AutoCloseable {
    static final LocalBackend.Settings SETTINGS = LocalBackend.Settings.of("v1").withNonces(Nonces.seeded(1))
            .withPatience(Duration.ofSeconds(20));

    final Path root;
    final FileCalls calls;
    final MountPools pools;
    final LocalBackend backend;
    private final LabDirectory directory;

    LocalVolume(FileCalls calls) throws Exception {
        this(calls, SETTINGS);
    }

    LocalVolume(FileCalls calls, LocalBackend.Settings settings) throws Exception {
        this.calls = calls;
        this.directory = LabDirectory.create(DiskOptions.memory());
        this.root = Files.createDirectory(directory.path().resolve("volume"));
        this.pools = new MountPools(calls, 4, BootClock.system());
        this.backend = LocalBackend.open(calls, pools, root, settings.withCreate(true));
    }

    /** The names of what is being written. */
    List<String> temporary() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(".entrepot/incoming"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Override
    public void close() throws IOException {
        backend.close();
        pools.close();
        directory.close();
    }
}
