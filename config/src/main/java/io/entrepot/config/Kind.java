package io.entrepot.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What sort of value a setting takes: how it is written in a file, and what it is read into. Immutable.
 *
 * <p>What can be written can be read again: {@code read(write(value))} is the same value.
 */
public abstract sealed class Kind<T>
        permits TextKind, TruthKind, WholeKind, DurationKind, BytesKind, PathKind, PlaceKind, ChoiceKind, ListKind,
        RangeKind,
        FractionKind, MappedKind {

    /** A text that is not blank. */
    public static Kind<String> text() {
        return new TextKind();
    }

    /** A text that is shown to nobody. */
    public static Kind<Secret> secret() {
        return new MappedKind<>(new TextKind(), "secret text", true, Secret::new, Secret::text);
    }

    public static Kind<Boolean> truth() {
        return new TruthKind();
    }

    public static Kind<Integer> whole(int lowest, int highest) {
        return count(lowest, highest).as(Math::toIntExact, Integer::longValue);
    }

    /** A whole number that may be larger than an {@code int}. */
    public static Kind<Long> count(long lowest, long highest) {
        return new RangeKind<>(new WholeKind(), lowest, highest);
    }

    /** A share: 0, 0.25, 1. */
    public static Kind<Double> fraction() {
        return new FractionKind();
    }

    /** As {@code "30s"} or {@code "1h30m"}. */
    public static Kind<Duration> duration(Duration lowest, Duration highest) {
        return new RangeKind<>(new DurationKind(), lowest, highest);
    }

    /** As {@code "64KiB"} or {@code "10GB"}. */
    public static Kind<Long> bytes(long lowest, long highest) {
        return new RangeKind<>(new BytesKind(), lowest, highest);
    }

    /** Relative to the directory of the file; absolute when read. */
    public static Kind<Path> path() {
        return new PathKind();
    }

    /**
     * A path, like {@link #path}, or something that is written in its place; its {@link Object#toString} is how it is written.
     *
     * @param name      what people call it
     * @param elsewhere nothing for a path; may refuse by an {@link IllegalArgumentException}, whose message is shown
     */
    public static <T> Kind<T> place(String name, Function<String, Optional<T>> elsewhere,
            Function<Path, T> directory) {
        return new PlaceKind<>(name, elsewhere, directory);
    }

    /** One of the constants, written {@code like-this}. */
    public static <E extends Enum<E>> Kind<E> choice(Class<E> type) {
        return new ChoiceKind<>(type);
    }

    public static <T> Kind<List<T>> listOf(Kind<T> element) {
        return new ListKind<>(element);
    }

    /**
     * The same, made into something else.
     *
     * @param name  what people call it
     * @param there may refuse by an {@link IllegalArgumentException}, whose message is shown unless it is a secret
     */
    public final <R> Kind<R> as(String name, Function<T, R> there, Function<R, T> back) {
        return new MappedKind<>(this, name, isSecret(), there, back);
    }

    /** The same under the same name. */
    public final <R> Kind<R> as(Function<T, R> there, Function<R, T> back) {
        return as(description(), there, back);
    }

    /** What is accepted, in a few words. */
    public abstract String description();

    /** Whether values are kept from sight. */
    public boolean isSecret() {
        return false;
    }

    /** @param directory what relative paths are relative to */
    abstract T read(Object raw, Path directory) throws Unfit;

    abstract Object write(T value);
}
