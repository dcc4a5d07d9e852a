package io.entrepot.config;

import java.nio.file.Path;
import java.util.regex.Pattern;

final class WholeKind extends Kind<Long> {
    private static final Pattern DIGITS = Pattern.compile("[+-]?[0-9]{1,18}");

    @Override
    public String description() {
        return "a whole number";
    }

    @Override
    Long read(Object raw, Path directory) throws Unfit {
        if (raw instanceof Long number) {
            return number;
        }
        throw new Unfit("is not " + description(),
                raw instanceof String text && DIGITS.matcher(text).matches() ? "write it without quotes" : "");
    }

    @Override
    Object write(Long value) {
        return value;
    }
}
