package io.entrepot.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Constants as people write them: {@code PERMANENTLY_FAILED} is {@code permanently-failed}. */
final class Words {

    private Words() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static <E extends Enum<E>> E parse(Class<E> type, String text) {
        E[] all = type.getEnumConstants();
        return Arrays.stream(all).filter(one -> of(one).equals(text.toLowerCase(Locale.ROOT).replace('_', '-')))
                .findFirst()
                .orElseThrow(() -> new Failure("usage", "'" + text + "' is none of "
                        + Arrays.stream(all).map(Words::of).collect(Collectors.joining(", ")), ExitCode.USAGE));
    }
}
