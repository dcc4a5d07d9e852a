package io.entrepot.chaos;

import io.entrepot.lab.Arguments;
import java.util.Arrays;
import java.util.Locale;

/** What the data is kept in. */
public enum StoreKind {
    SQLITE, POSTGRES;

    /** As a person types it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static StoreKind parse(String word) throws Arguments.UsageException {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst().orElseThrow(
                () -> new Arguments.UsageException("--store is sqlite or postgres, not " + word));
    }
}
