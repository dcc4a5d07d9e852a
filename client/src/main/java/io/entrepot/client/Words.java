package io.entrepot.client;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Constants as they are written: {@code PERMANENTLY_FAILED} is {@code permanently-failed}. */
final class Words {

    private Words() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static <E extends Enum<E>> Optional<E> find(Class<E> type, String word) {
        return Arrays.stream(type.getEnumConstants()).filter(constant -> of(constant).equals(word)).findFirst();
    }

    /** @throws IllegalArgumentException if the server knows one that this client does not */
    static <E extends Enum<E>> E parse(Class<E> type, String word) {
        return find(type, word).orElseThrow(() -> new IllegalArgumentException("the server says \"" + word
                + "\", which this client does not know; it is too old for that server"));
    }
}
