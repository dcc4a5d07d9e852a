package io.entrepot.server.json;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Constants as they are written: {@code PERMANENTLY_FAILED} is {@code permanently-failed}. */
public final class Words {

    private Words() {}

    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static <E extends Enum<E>> Optional<E> parse(Class<E> type, String word) {
        return Arrays.stream(type.getEnumConstants()).filter(constant -> of(constant).equals(word)).findFirst();
    }
}
