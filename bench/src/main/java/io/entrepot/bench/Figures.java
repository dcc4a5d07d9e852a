package io.entrepot.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Figures with as many digits as they deserve. */
final class Figures {

    private static final MathContext DIGITS = new MathContext(5);

    private Figures() {}

    /** For JSON: five digits that count; a figure that is not finite is none. */
    static Object rounded(double figure) {
        return Double.isFinite(figure) ? new BigDecimal(figure).round(DIGITS).doubleValue() : "not a figure";
    }

    /** For people: thousands apart, decimals only where they matter. */
    static String text(double figure) {
        return String.format(Locale.ROOT, Math.abs(figure) >= 100 ? "%,.0f" : "%.2f", figure);
    }
}
