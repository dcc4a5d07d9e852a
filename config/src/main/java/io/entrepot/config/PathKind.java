package io.entrepot.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

final class PathKind extends Kind<Path> {

    @Override
    public String description() {
        return "a path";
    }

    @Override
    Path read(Object raw, Path directory) throws Unfit {
        String text = TextKind.text(raw, description());
        if (text.equals("~") || text.startsWith("~/")) {
            throw new Unfit("begins with ~, which only a shell understands", "write the whole path");
        }
        try {
            return directory.resolve(text).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new Unfit("is not a path: " + e.getReason(), "");
        }
    }

    @Override
    Object write(Path value) {
        return value.toString();
    }
}
