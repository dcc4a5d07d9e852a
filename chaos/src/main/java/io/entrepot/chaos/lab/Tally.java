package io.entrepot.chaos.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How long something took, again and again. Use from one thread. */
final class Tally {

    private final String what;
    private final List<Long> nanos = new ArrayList<>();

    Tally(String what) {
        this.what = what;
    }

    void add(long duration) {
        nanos.add(duration);
    }

    String text() {
        if (nanos.isEmpty()) {
            return what + ": never";
        }
        double seconds = nanos.stream().mapToLong(Long::longValue).sum() / 1e9;
        long median = nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
        return String.format(Locale.ROOT, "%s: %d times, %.1f ms each (median), %.1f a second", what, nanos.size(),
                median / 1e6, nanos.size() / seconds);
    }
}
