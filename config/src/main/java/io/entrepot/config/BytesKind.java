package io.entrepot.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A whole number with a unit; KiB counts by 1024 and KB by 1000, and a bare K is refused, as people disagree about it. */
final class BytesKind extends Kind<Long> {
    private static final Map<String, Long> UNITS = new LinkedHashMap<>();
    private static final Pattern ALLOWED = Pattern.compile("(\\d{1,18})([KMGTP]i?B|B)");
    private static final Pattern LOOSE = Pattern.compile("(\\d{1,18})\\s*(?:([kmgtp])(i?)b?|b|bytes?|)");

    static {
        UNITS.put("B", 1L);
        long binary = 1;
        long decimal = 1;
        for (String prefix : List.of("K", "M", "G", "T", "P")) {
            binary *= 1024;
            decimal *= 1000;
            UNITS.put(prefix + "iB", binary);
            UNITS.put(prefix + "B", decimal);
        }
    }

    @Override
    public String description() {
        return "a size";
    }

    @Override
    Long read(Object raw, Path directory) throws Unfit {
        Matcher matcher = ALLOWED.matcher(raw.toString());
        if (!(raw instanceof String) || !matcher.matches()) {
            throw new Unfit("is not a size such as \"64KiB\" or \"10GB\"", suggestion(raw));
        }
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), UNITS.getOrDefault(matcher.group(2), 1L));
        } catch (ArithmeticException e) {
            throw new Unfit("is more than can be counted", "");
        }
    }

    private static String suggestion(Object raw) {
        Matcher loose = LOOSE.matcher(raw.toString().strip().toLowerCase(Locale.ROOT));
        if (!loose.matches()) {
            return "the units are B, KiB, MiB, GiB, TiB, PiB and KB, MB, GB, TB, PB, with whole numbers";
        }
        String number = loose.group(1);
        if (loose.group(2) == null) {
            return "did you mean \"" + number + "B\"?";
        }
        String prefix = number + loose.group(2).toUpperCase(Locale.ROOT);
        return loose.group(3).isEmpty()
                ? "did you mean \"" + prefix + "iB\", by 1024, or \"" + prefix + "B\", by 1000?"
                : "did you mean \"" + prefix + "iB\"?";
    }

    /** With the unit that makes the number shortest. */
    @Override
    Object write(Long value) {
        String unit = "B";
        long number = value;
        for (Entry<String, Long> one : UNITS.entrySet()) {
            if (value > 0 && value % one.getValue() == 0 && value / one.getValue() < number) {
                unit = one.getKey();
                number = value / one.getValue();
            }
        }
        return number + unit;
    }
}
