package io.entrepot.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as people write and read them: 512, 64KiB, 1.5 GiB. */
final class Sizes {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,15})(?:([KMGTP])(?:iB)?)?");
    private static final List<String> UNITS = List.of("K", "M", "G", "T", "P");
    private static final long STEP = 1024;

    private Sizes() {}

    static long parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw wrong(text);
        }
        long number = Long.parseLong(parts.group(1));
        String unit = parts.group(2);
        int shift = unit == null ? 0 : 10 * (UNITS.indexOf(unit) + 1);
        if (number > Long.MAX_VALUE >> shift) {
            throw wrong(text);
        }
        return number << shift;
    }

    private static Failure wrong(String text) {
        return new Failure("usage", "'" + text + "' is not a size; write it as 512, 64KiB, 10MiB, 2GiB or 1TiB",
                ExitCode.USAGE);
    }

    /** At most four digits. */
    static String of(long bytes) {
        if (bytes < STEP) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        while (value >= STEP - 0.5 && unit < UNITS.size() - 1) {
            value /= STEP;
            unit++;
        }
        return String.format(Locale.ROOT, value < 10 ? "%.1f %siB" : "%.0f %siB", value, UNITS.get(unit));
    }
}
