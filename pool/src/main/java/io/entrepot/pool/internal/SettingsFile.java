package io.entrepot.pool.internal;

import io.entrepot.pool.Location;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.volume.BackendProvider;
import io.entrepot.pool.volume.VolumeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where settings are kept beside the database, and how the newest are found when that is lost. */
final class SettingsFile {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsFile.class);
    static final String IN_DIRECTORY = "entrepot.settings";

    private SettingsFile() {}

    static void write(Path directory, String text) throws IOException {
        DurableText.write(directory.resolve(IN_DIRECTORY), text);
    }

    static boolean isIn(Path directory) {
        return Files.exists(directory.resolve(IN_DIRECTORY));
    }

    /** Nothing if there are none, or they are not whole. */
    static Optional<Settings> read(Path file) {
        try {
            return decode(Files.readString(file));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<Settings> decode(String text) {
        try {
            return Settings.decode(text);
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Settings and where they were found. */
    record Found(Settings settings, Location where) {}

    /** The newest of all: in the directory, on volumes that the configuration names, and on those that these settings name. */
    static Optional<Found> newest(PoolConfig config, Backends backends) throws InterruptedException {
        Path file = config.directory().resolve(IN_DIRECTORY).toAbsolutePath().normalize();
        Optional<Found> best = read(file).map(settings -> new Found(settings, Location.of(file)));
        Set<Location> seen = new HashSet<>();
        Deque<Location> waiting = new ArrayDeque<>();
        best.ifPresent(found -> found.settings.volumes().forEach(volume -> waiting.add(volume.location())));
        Adoption.candidates(config).forEach(spec -> waiting.add(spec.location().absolute()));
        while (!waiting.isEmpty()) {
            Location location = waiting.pop();
            Optional<Settings> found = seen.add(location) ? on(location, backends) : Optional.empty();
            if (found.isPresent()) {
                found.get().volumes().forEach(volume -> waiting.add(volume.location()));
                if (best.isEmpty() || best.get().settings.version() < found.get().version()) {
                    best = Optional.of(new Found(found.get(), location));
                }
            }
        }
        return best;
    }

    /** Nothing also if the volume is away: others may have them. */
    private static Optional<Settings> on(Location location, Backends backends) throws InterruptedException {
        try {
            return backends.find(location).flatMap(BackendProvider.Found::settings)
                    .flatMap(text -> decode(new String(text, StandardCharsets.UTF_8)));
        } catch (VolumeException e) {
            LOG.warn("settings that may be on the volume at {} could not be read: {}", location, e.getMessage());
            return Optional.empty();
        }
    }
}
