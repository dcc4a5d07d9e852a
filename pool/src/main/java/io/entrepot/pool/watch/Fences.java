package io.entrepot.pool.watch;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.internal.MountedVolume;
import io.entrepot.pool.internal.Parts;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.MountPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Keeps apart what must not lie within each other: watched directories, where sources are moved, volumes and the pool's own
 * directory. A file that is in two of them would be imported twice, or for ever. Without state.
 */
final class Fences {
    private final Parts parts;
    private final MountPools mounts;

    Fences(Parts parts, MountPools mounts) {
        this.parts = parts;
        this.mounts = mounts;
    }

    /** The same with absolute paths, whose directories are there. */
    WatcherSpec checked(WatcherSpec spec, List<Rule> others) throws InterruptedException {
        WatcherSpec absolute = absolute(spec);
        Optional<Path> moveTo = moveTo(absolute);
        requireApart(absolute, others);
        try {
            make(absolute.path());
            if (moveTo.isPresent()) {
                make(moveTo.get());
                requireSameDevice(absolute, moveTo.get());
            }
        } catch (IOException e) {
            throw new InvalidSettingException("watcher " + spec.id() + ": " + e.getMessage(), e);
        }
        return absolute;
    }

    private static WatcherSpec absolute(WatcherSpec spec) {
        WatcherSpec absolute = spec.withPath(spec.path().toAbsolutePath().normalize());
        return moveTo(spec)
                .map(to -> absolute.withPostImport(new PostImport.Move(to.toAbsolutePath().normalize())))
                .orElse(absolute);
    }

    private void requireApart(WatcherSpec spec, List<Rule> others) throws InterruptedException {
        Path path = real(spec.path());
        Optional<Path> moveTo = Optional.empty();
        if (moveTo(spec).isPresent()) {
            moveTo = Optional.of(real(moveTo(spec).get()));
            if (moveTo.get().startsWith(path)) {
                throw refused(spec, "what was imported would be moved into the watched directory itself: " + path
                        + ", " + moveTo.get());
            }
        }
        requireApartFromPool(spec, path, moveTo);
        for (Rule rule : others) {
            WatcherSpec other = rule.spec();
            Path otherPath = real(other.path());
            if (isNested(path, otherPath)) {
                throw refused(spec, "its directory and that of watcher " + other.id() + " lie within each other: "
                        + path + ", " + otherPath);
            }
            if (moveTo.filter(to -> to.startsWith(otherPath)).isPresent()) {
                throw refused(spec, "what was imported would be moved to where watcher " + other.id() + " finds it: "
                        + moveTo.get());
            }
            if (moveTo(other).isPresent() && real(moveTo(other).get()).startsWith(path)) {
                throw refused(spec, "watcher " + other.id() + " moves what it has imported to there: " + path);
            }
        }
    }

    private void requireApartFromPool(WatcherSpec spec, Path path, Optional<Path> moveTo)
            throws InterruptedException {
        Path own = real(parts.config().directory().toAbsolutePath().normalize());
        if (isNested(path, own) || moveTo.filter(to -> to.startsWith(own)).isPresent()) {
            throw refused(spec, "its directory and the pool's own lie within each other: " + path + ", " + own);
        }
        if (exports().isPresent() && isNested(path, real(exports().get()))) {
            throw exported(spec, path);
        }
        for (MountedVolume volume : parts.volumes().all()) {
            if (volume.location().directory().isEmpty()) {
                continue;
            }
            Path location = real(volume.location().directory().get());
            if (isNested(path, location) || moveTo.filter(to -> to.startsWith(location)).isPresent()) {
                throw refused(spec, "its directory and volume " + volume.name() + " lie within each other: " + path
                        + ", " + location);
            }
        }
    }

    /** What would be imported, completed and exported for ever. */
    private Optional<Path> exports() {
        return parts.config().cleanup().exportDirectory().map(directory -> directory.toAbsolutePath().normalize());
    }

    private InvalidSettingException exported(WatcherSpec spec, Path path) {
        return refused(spec, "its directory and that where completed files are exported lie within each other: "
                + path + ", " + exports().orElseThrow());
    }

    /** A volume may have been mounted since, and the configuration be another. */
    void requireApartFromVolumes(WatcherSpec spec, BytePath root) throws InterruptedException {
        Path path = root.toPath();
        if (exports().isPresent() && isNested(path, real(exports().get()))) {
            throw exported(spec, path);
        }
        for (MountedVolume volume : parts.volumes().all()) {
            if (volume.location().directory().filter(location -> isNested(path, location)).isPresent()) {
                throw refused(spec, "its directory and volume " + volume.name() + " lie within each other: " + path
                        + ", " + volume.location());
            }
        }
    }

    private void requireSameDevice(WatcherSpec spec, Path moveTo) throws IOException, InterruptedException {
        if (device(spec.path()) != device(moveTo)) {
            throw refused(spec, moveTo + " is on another file system; choose one on that of " + spec.path()
                    + ", so that a move is a rename");
        }
    }

    private long device(Path path) throws IOException, InterruptedException {
        return on(path, () -> {
            try (Directory directory = parts.config().platform().calls().openDirectory(
                    BytePath.of(path.toRealPath()))) {
                return directory.stat().device();
            }
        });
    }

    private void make(Path path) throws IOException, InterruptedException {
        on(path, () -> Files.exists(path) ? path : Files.createDirectories(path));
    }

    /** Without symbolic links, as far as it is there. */
    private Path real(Path path) throws InterruptedException {
        try {
            return on(path, () -> {
                Path there = path;
                while (!Files.exists(there) && there.getParent() != null) {
                    there = there.getParent();
                }
                return there.toRealPath().resolve(there.relativize(path)).normalize();
            });
        } catch (IOException e) {
            return path;
        }
    }

    private <T> T on(Path path, io.entrepot.posix.MountCall<T> call) throws IOException, InterruptedException {
        return mounts.of(BytePath.of(path)).call(call, parts.config().patience());
    }

    private static boolean isNested(Path one, Path other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    private static Optional<Path> moveTo(WatcherSpec spec) {
        return spec.postImport() instanceof PostImport.Move(Path to) ? Optional.of(to) : Optional.empty();
    }

    private static InvalidSettingException refused(WatcherSpec spec, String why) {
        return new InvalidSettingException("watcher " + spec.id() + ": " + why);
    }
}
