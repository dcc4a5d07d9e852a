package io.entrepot.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was read: the value, and where each setting comes from. Immutable, if the value is.
 *
 * <p>Sources are laid over each other: what is given in code goes over the file, key by key, and that over the defaults.
 */
public final class Configuration<T> {
    private final T value;
    private final List<Shown> settings;
    private final String print;

    Configuration(T value, List<Shown> settings, String print) {
        this.value = value;
        this.settings = settings;
        this.print = print;
    }

    /** @throws ConfigurationException with all mistakes of the file; if it is not TOML, with those alone */
    public static <T> Configuration<T> read(Section<T> root, Path file) {
        return read(root, file, Map.of());
    }

    /** @param given see {@link #of}; relative paths are relative to the file here too */
    public static <T> Configuration<T> read(Section<T> root, Path file, Map<String, ?> given) {
        Path parent = file.toAbsolutePath().getParent();
        Table over = Table.of(given, new Origin.Given("code"));
        return Reading.of(root, TomlFile.read(file).under(over), parent == null ? file.toAbsolutePath() : parent);
    }

    /**
     * Without a file.
     *
     * @param directory what relative paths are relative to
     * @param given     values by their keys, as {@code "pool.retry.attempts"}; written as in a file: texts, whole numbers,
     *                  booleans, and lists and maps of those
     */
    public static <T> Configuration<T> of(Section<T> root, Path directory, Map<String, ?> given) {
        return Reading.of(root, Table.of(given, new Origin.Given("code")), directory);
    }

    /**
     * From a file, if there is one, and what goes over it: a later source over an earlier one.
     *
     * @param directory what relative paths are relative to, without a file
     */
    public static <T> Configuration<T> read(Section<T> root, Optional<Path> file, Path directory,
            List<Source> sources) {
        Table table = file.map(TomlFile::read).orElseGet(() -> Table.empty(new Origin.Default()));
        for (Source source : sources) {
            table = table.under(Table.of(source.values(), new Origin.Given(source.by())));
        }
        Path base = file.map(it -> it.toAbsolutePath().getParent()).orElse(directory.toAbsolutePath());
        return Reading.of(root, table, base);
    }

    public T value() {
        return value;
    }

    /** All settings, with their values as they are written, secrets masked. */
    public List<Shown> settings() {
        return settings;
    }

    /** All settings as a TOML file, each with its origin, secrets masked. */
    public String print() {
        return print;
    }

    @Override
    public String toString() {
        return print;
    }
}
