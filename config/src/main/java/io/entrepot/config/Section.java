package io.entrepot.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A table, and what it is read into. The root of a file is one too, without a name. The same section may be part of several
 * others.
 *
 * @param purpose what it is for, in a sentence
 * @param into    makes the result once every part has been read. What it refuses by an {@link IllegalArgumentException} is
 *                a mistake in the file, and the message is shown: so it must not tell secrets
 */
public record Section<T>(String name, String purpose, List<Part<?>> parts, Function<Values, T> into)
        implements
            Part<T> {

    public Section {
        if (!name.isEmpty()) {
            Names.check(name);
        }
        if (purpose.isBlank()) {
            throw new IllegalArgumentException("[" + name + "] does not say what it is for");
        }
        parts = List.copyOf(parts);
        Set<String> names = new HashSet<>();
        for (Part<?> part : parts) {
            if (part.name().isEmpty() || !names.add(part.name())) {
                throw new IllegalArgumentException("two parts of [" + name + "] are called \"" + part.name()
                        + "\", or a root is in it");
            }
        }
    }

    /** The whole of a file. */
    public static <T> Section<T> root(String purpose, List<Part<?>> parts, Function<Values, T> into) {
        return new Section<>("", purpose, parts, into);
    }

    /** Any number of such tables, in the order of the file. */
    public Entries<T> each() {
        return new Entries<>(this, List.of(), Effect.RESTART);
    }
}
