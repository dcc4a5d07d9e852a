package io.entrepot.config;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

final class TruthKind extends Kind<Boolean> {
    private static final Map<String, String> MEANT = Map.of("true", "true", "yes", "true", "on", "true", "1", "true",
            "false", "false", "no", "false", "off", "false", "0", "false");

    @Override
    public String description() {
        return "true or false";
    }

    @Override
    Boolean read(Object raw, Path directory) throws Unfit {
        if (raw instanceof Boolean truth) {
            return truth;
        }
        String meant = MEANT.getOrDefault(raw.toString().toLowerCase(Locale.ROOT), "");
        throw new Unfit("is not " + description(),
                meant.isEmpty() ? "" : "did you mean " + meant + ", without quotes?");
    }

    @Override
    Object write(Boolean value) {
        return value;
    }
}
