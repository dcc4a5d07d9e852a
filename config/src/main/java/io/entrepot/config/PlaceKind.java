package io.entrepot.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

final class PlaceKind<T> extends Kind<T> {
    private static final PathKind PATH = new PathKind();

    private final String name;
    private final Function<String, Optional<T>> elsewhere;
    private final Function<Path, T> directory;

    PlaceKind(String name, Function<String, Optional<T>> elsewhere, Function<Path, T> directory) {
        this.name = name;
        this.elsewhere = elsewhere;
        this.directory = directory;
    }

    @Override
    public String description() {
        return name;
    }

    @Override
    T read(Object raw, Path relativeTo) throws Unfit {
        Optional<T> found;
        try {
            found = elsewhere.apply(TextKind.text(raw, name));
        } catch (IllegalArgumentException e) {
            throw new Unfit("is not " + name + ": " + e.getMessage(), "");
        }
        return found.isPresent() ? found.get() : directory.apply(PATH.read(raw, relativeTo));
    }

    @Override
    Object write(T value) {
        return value.toString();
    }
}
