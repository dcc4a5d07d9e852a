package io.entrepot.config;

import java.nio.file.Path;

/** A kind with a lowest and a highest value. Which may be too low or high for a purpose is told by the setting. */
final class RangeKind<T extends Comparable<T>> extends Kind<T> {
    private final Kind<T> kind;
    private final T lowest;
    private final T highest;

    RangeKind(Kind<T> kind, T lowest, T highest) {
        this.kind = kind;
        this.lowest = lowest;
        this.highest = highest;
        if (lowest.compareTo(highest) > 0) {
            throw new IllegalArgumentException("nothing is from " + lowest + " to " + highest);
        }
    }

    @Override
    public String description() {
        return kind.description() + " from " + text(lowest) + " to " + text(highest);
    }

    @Override
    public boolean isSecret() {
        return kind.isSecret();
    }

    @Override
    T read(Object raw, Path directory) throws Unfit {
        T value = kind.read(raw, directory);
        if (value.compareTo(lowest) < 0) {
            throw new Unfit("is too small", "the lowest is " + Written.toml(kind.write(lowest)));
        }
        if (value.compareTo(highest) > 0) {
            throw new Unfit("is too large", "the highest is " + Written.toml(kind.write(highest)));
        }
        return value;
    }

    @Override
    Object write(T value) {
        return kind.write(value);
    }

    private String text(T value) {
        return kind.write(value).toString();
    }
}
