package io.entrepot.config;

import java.nio.file.Path;

final class TextKind extends Kind<String> {

    @Override
    public String description() {
        return "text";
    }

    @Override
    String read(Object raw, Path directory) throws Unfit {
        return text(raw, description());
    }

    /** Anything that is written as text, as most kinds are. */
    static String text(Object raw, String description) throws Unfit {
        if (raw instanceof String text) {
            if (text.isBlank()) {
                throw new Unfit("is blank, and not " + description, "leave the key out if there is nothing to say");
            }
            return text;
        }
        throw new Unfit("is not " + description,
                raw instanceof Table || raw instanceof Iterable<?> ? "" : "write it in quotes");
    }

    @Override
    Object write(String value) {
        return value;
    }
}
