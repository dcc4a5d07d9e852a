package io.entrepot.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** What somebody may have meant. */
public final class Nearest {

    private Nearest() {}

    /**
     * The candidate that takes the fewest slips of the finger to become what was written, if they are few for its length;
     * the first one of several. Capitals, hyphens and underscores are no slips.
     */
    public static Optional<String> to(String written, Collection<String> candidates) {
        String plain = plain(written);
        Optional<String> best = Optional.empty();
        int fewest = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int slips = slips(plain, plain(candidate));
            if (slips < fewest && slips <= Math.max(1, Math.min(plain.length(), candidate.length()) / 3)) {
                fewest = slips;
                best = Optional.of(candidate);
            }
        }
        return best;
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
    }

    /** Letters left out, added, replaced, and neighbours swapped. */
    static int slips(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                d[i][j] = Math.min(replaced, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
