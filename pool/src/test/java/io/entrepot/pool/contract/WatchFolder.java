package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A folder that is watched, without notification, on clocks that stand still: a file is looked at only when a test says so. */
abstract class WatchFolder extends PoolContract {
    static final WatcherId IN = new WatcherId("in");
    static final Duration AGE = Duration.ofSeconds(5);
    static final FileTime LONG_AGO = FileTime.from(Instant.parse("1999-12-31T00:00:00Z"));

    /** What happens at the named points; replaced by tests. */
    volatile PoolFaults faults = PoolFaults.NONE;
    Path outside;
    Path folder;

    WatchFolder(PoolFixture fixture) {
        super(fixture);
    }

    @BeforeEach
    void openQuietly(@TempDir Path temporary) throws Exception {
        outside = temporary;
        folder = temporary.resolve("in");
        config = config.withPlatform(new PoolConfig.Platform(config.platform().store(), calls(),
                clocks.ticker::nanos, point -> faults.reach(point), List.of()));
        reopen();
    }

    final WatcherSpec spec() {
        return WatcherSpec.ofTenant("in", ACME, folder);
    }

    /** Two looks that are far enough apart: what is there and does not change is imported by the second. */
    final long scan() throws InterruptedException {
        long first = pool.watchers().scanNow(IN);
        clocks.pass(AGE);
        return first + pool.watchers().scanNow(IN);
    }

    final Path put(String path, String content) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    final List<FileInfo> files(TenantId tenant) {
        return pool.files().list(FileQuery.of(tenant)).files();
    }

    final List<String> names(TenantId tenant) {
        return files(tenant).stream().map(file -> file.name().orElseThrow()).sorted().toList();
    }

    /** The contents of all files of a tenant. */
    final List<String> contents(TenantId tenant) throws Exception {
        java.util.ArrayList<String> contents = new java.util.ArrayList<>();
        for (FileInfo file : files(tenant)) {
            contents.add(read(tenant, file.key()));
        }
        contents.sort(null);
        return contents;
    }

    /** Files below a directory, as paths from there. */
    static List<String> left(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            return walk.filter(path -> !Files.isDirectory(path)).map(path -> directory.relativize(path).toString())
                    .sorted().toList();
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** How files are looked at. */
    FileCalls calls() {
        return new DeafCalls(FileCalls.system());
    }

    /** The same without notification. */
    static final class DeafCalls implements FileCalls {
        private final FileCalls real;

        DeafCalls(FileCalls real) {
            this.real = real;
        }

        @Override
        public Set<Capability> capabilities() {
            return real.capabilities();
        }

        @Override
        public Directory openDirectory(BytePath path) throws PosixException {
            return real.openDirectory(path);
        }

        @Override
        public DirectoryReader newReader(Set<StatField> fields) {
            return real.newReader(fields);
        }

        @Override
        public Optional<Notification> notification() {
            return Optional.empty();
        }

        @Override
        public Mount mountOf(BytePath path) throws IOException {
            return real.mountOf(path);
        }
    }
}
