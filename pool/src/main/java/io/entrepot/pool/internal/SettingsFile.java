package io.entrepot.pool.internal;

import io.entrepot.pool.PoolConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Where settings are kept beside the database, and how the newest are found when that is lost. */
final class SettingsFile {
    static final String IN_DIRECTORY = "entrepot.settings";
    static final String ON_VOLUME = ".entrepot/settings";

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
            return Settings.decode(Files.readString(file));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Settings and where they were found. */
    record Found(Settings settings, Path file) {}

    /** The newest of all: in the directory, on volumes that the configuration names, and on those that these settings name. */
    static Optional<Found> newest(PoolConfig config) {
        Optional<Found> best = Optional.empty();
        Set<Path> seen = new HashSet<>();
        Deque<Path> waiting = new ArrayDeque<>();
        waiting.add(config.directory().resolve(IN_DIRECTORY));
        Adoption.candidates(config).forEach(spec -> waiting.add(spec.path().resolve(ON_VOLUME)));
        while (!waiting.isEmpty()) {
            Path file = waiting.pop().toAbsolutePath().normalize();
            Optional<Settings> found = seen.add(file) ? read(file) : Optional.empty();
            if (found.isPresent()) {
                found.get().volumes().forEach(volume -> waiting.add(volume.location().resolve(ON_VOLUME)));
                if (best.isEmpty() || best.get().settings.version() < found.get().version()) {
                    best = Optional.of(new Found(found.get(), file));
                }
            }
        }
        return best;
    }
}
