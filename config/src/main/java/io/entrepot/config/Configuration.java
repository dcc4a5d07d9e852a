package io.entrepot.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What was read: the value, and where each setting comes from. Immutable, if the value is.
 *
 * <p>Sources are laid over each other: what is given in code goes over the file, key by key, and that over the defaults.
 */
public final class Configuration<T> {
    private final T value;
    private final Printing printing;
    private final String print;
    private final Read<T> read;

    /** What it was read from, to be laid over another. */
    record Read<T>(Section<T> root, Table table, Path directory) {}

    Configuration(T value, Printing printing, Read<T> read) {
        this.value = value;
        this.printing = printing;
        this.print = printing.text();
        this.read = read;
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
        return printing.shown();
    }

    /**
     * What a running program that has this takes over from what was read anew, and what of it counts later only.
     *
     * @param held keys that need a restart as things are now, although they could be taken otherwise
     * @throws ConfigurationException if what can be taken does not go together with what stays
     */
    public Reload<T> reload(Configuration<T> next, Predicate<String> held) {
        Table table = new Overlay(held).of(read.root, read.table, next.read.table, "");
        Configuration<T> taken = Reading.of(read.root, table, next.read.directory);
        return new Reload<>(taken, Differences.between(printing, taken.printing),
                Differences.between(taken.printing, next.printing));
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
