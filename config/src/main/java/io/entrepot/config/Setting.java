package io.entrepot.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * One key with a value. It is required until {@link #or} or {@link #optional} says what it is if it is not there.
 *
 * @param purpose  what it is for, in a sentence
 * @param tooSmall what goes wrong if the value is too small; empty if nothing does
 * @param tooLarge what goes wrong if the value is too large; empty if nothing does
 * @param effect   when a change of it counts
 */
public record Setting<T>(String name, Kind<T> kind, Absence<T> absence, String purpose, String tooSmall,
        String tooLarge, Effect effect) implements Part<T> {

    /** What the value is if the key is not there. */
    public sealed interface Absence<T> {
        /** Leaving it out is a mistake. */
        record Refused<T>() implements Absence<T> {}

        /** It is as if this were written; so a relative path is one relative to the file, here too. */
        record Default<T>(T value) implements Absence<T> {}

        /** It has no value, which cannot be written down. */
        record Unset<T>(T value) implements Absence<T> {}
    }

    public Setting {
        Names.check(name);
        if (purpose.isBlank()) {
            throw new IllegalArgumentException(name + " does not say what it is for");
        }
        if (absence instanceof Absence.Default<T>(T value)) {
            checkDefault(name, kind, value);
        }
    }

    /** So that a default that nobody could write is found where it is made. */
    private static <T> void checkDefault(String name, Kind<T> kind, T value) {
        try {
            kind.read(kind.write(value), Path.of("/"));
        } catch (Unfit e) {
            throw new IllegalArgumentException("the default of " + name + " " + e.problem(), e);
        }
    }

    public static <T> Setting<T> of(String name, Kind<T> kind, String purpose) {
        return new Setting<>(name, kind, new Absence.Refused<>(), purpose, "", "", Effect.RESTART);
    }

    public Setting<T> or(T value) {
        return new Setting<>(name, kind, new Absence.Default<>(value), purpose, tooSmall, tooLarge, effect);
    }

    public Setting<Optional<T>> optional() {
        return new Setting<>(name, kind.as(Optional::of, Optional::orElseThrow), new Absence.Unset<>(Optional.empty()),
                purpose, tooSmall, tooLarge, effect);
    }

    public Setting<T> tooSmall(String consequence) {
        return new Setting<>(name, kind, absence, purpose, consequence, tooLarge, effect);
    }

    public Setting<T> tooLarge(String consequence) {
        return new Setting<>(name, kind, absence, purpose, tooSmall, consequence, effect);
    }

    /** A running program takes a change of it when it is told to read its configuration again. */
    public Setting<T> reloadable() {
        return new Setting<>(name, kind, absence, purpose, tooSmall, tooLarge, Effect.RELOAD);
    }
}
