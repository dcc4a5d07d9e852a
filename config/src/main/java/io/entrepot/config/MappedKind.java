package io.entrepot.config;

import java.nio.file.Path;
import java.util.function.Function;

final class MappedKind<S, T> extends Kind<T> {
    private final Kind<S> source;
    private final String name;
    private final boolean secret;
    private final Function<S, T> there;
    private final Function<T, S> back;

    MappedKind(Kind<S> source, String name, boolean secret, Function<S, T> there, Function<T, S> back) {
        this.source = source;
        this.name = name;
        this.secret = secret;
        this.there = there;
        this.back = back;
    }

    @Override
    public String description() {
        return name;
    }

    @Override
    public boolean isSecret() {
        return secret;
    }

    @Override
    T read(Object raw, Path directory) throws Unfit {
        S read = source.read(raw, directory);
        try {
            return there.apply(read);
        } catch (IllegalArgumentException e) {
            String why = e.getMessage();
            throw new Unfit("is not " + name + (secret || why == null ? "" : ": " + why), "");
        }
    }

    @Override
    Object write(T value) {
        return source.write(back.apply(value));
    }
}
