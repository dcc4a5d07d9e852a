package io.entrepot.chaos;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a run found, for people and for programs. Immutable. */
record ChaosResult(String chaos, StoreKind store, long rounds, long checks, List<String> violations, long seed,
        double seconds,
        List<String> notes) {

    private static final int SHOWN = 20;

    ChaosResult {
        violations = List.copyOf(violations);
        notes = List.copyOf(notes);
    }

    boolean good() {
        return violations.isEmpty();
    }

    /** A run that broke has shown nothing, so it must not look like one without violations. */
    ChaosResult broken(Exception e) {
        List<String> all = new ArrayList<>(violations);
        all.add("the run broke: " + e);
        return new ChaosResult(chaos, store, rounds, checks, all, seed, seconds, notes);
    }

    String text() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
                "chaos %s: %,d rounds, %,d checks, %,d violations in %.1f s%n", chaos, rounds, checks,
                violations.size(),
                seconds));
        violations.stream().limit(SHOWN).forEach(violation -> text.append("  ").append(violation).append('\n'));
        if (violations.size() > SHOWN) {
            text.append("  and ").append(violations.size() - SHOWN).append(" more\n");
        }
        notes.forEach(note -> text.append("note: ").append(note).append('\n'));
        text.append("the same choices again: ").append(again()).append('\n');
        return text.toString();
    }

    private String again() {
        return "./entrepot chaos " + chaos + (store == StoreKind.SQLITE ? "" : " --store " + store.word()) + " --seed "
                + seed + " --rounds " + Math.max(1, rounds);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("chaos", chaos);
        json.put("rounds", rounds);
        json.put("checks", checks);
        json.put("violations", violations);
        json.put("seed", seed);
        json.put("seconds", Math.round(seconds * 10) / 10.0);
        json.put("notes", notes);
        json.put("again", again());
        return json;
    }
}
