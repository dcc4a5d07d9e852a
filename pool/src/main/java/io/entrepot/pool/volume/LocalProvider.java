package io.entrepot.pool.volume;

import io.entrepot.pool.Location;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.MountPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Brings directories. Immutable. */
public final class LocalProvider implements BackendProvider {
    private static final Pattern IDENTITY = Pattern.compile("entrepot volume ([A-Za-z0-9][A-Za-z0-9._-]{0,63})\n");

    private final FileCalls calls;
    private final MountPools mounts;

    public LocalProvider(FileCalls calls, MountPools mounts) {
        this.calls = calls;
        this.mounts = mounts;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(Location.DIRECTORY_SCHEME);
    }

    @Override
    public Backend open(Location location, Terms terms) throws VolumeException, InterruptedException {
        return LocalBackend.open(calls, mounts, path(location), LocalBackend.Settings.of(terms.volume())
                .withCreate(terms.create()).withPatience(terms.patience()).withNonces(terms.nonces()));
    }

    /** What cannot be read is none: a disk that is not mounted is an empty directory. */
    @Override
    public Optional<Found> find(Location location, Duration patience) {
        Path meta = path(location).resolve(VolumeRoot.META.toString());
        try {
            Matcher matcher = IDENTITY.matcher(Files.readString(meta.resolve(VolumeRoot.IDENTITY.toString())));
            return matcher.matches()
                    ? Optional.of(new Found(matcher.group(1), settings(meta.resolve(VolumeRoot.SETTINGS.toString()))))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> settings(Path file) {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Path path(Location location) {
        return location.directory().orElseThrow(() -> new IllegalArgumentException(location + " is no directory"));
    }
}
