package io.entrepot.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares what was read twice. Lists of tables are compared as a whole: which entry became which, nobody can tell. */
final class Differences {

    private Differences() {}

    static List<Difference> between(Printing one, Printing other) {
        Map<String, Shown> after = other.shown().stream().collect(Collectors.toMap(Shown::key, Function.identity()));
        List<Difference> all = new ArrayList<>();
        for (Shown before : one.shown()) {
            Shown now = after.get(before.key());
            if (!isEntry(before.key()) && now != null && !written(one, before).equals(written(other, now))) {
                all.add(new Difference(before.key(), before.value(), now.value(), before.effect()));
            }
        }
        all.addAll(lists(one, other));
        return all;
    }

    private static Optional<Object> written(Printing printing, Shown shown) {
        return printing.written().getOrDefault(shown.key(), Optional.empty());
    }

    private static boolean isEntry(String key) {
        return key.contains("#");
    }

    private static List<Difference> lists(Printing one, Printing other) {
        Map<String, Map<String, Optional<Object>>> before = entries(one);
        Map<String, Map<String, Optional<Object>>> after = entries(other);
        Map<String, Effect> effects = new LinkedHashMap<>();
        List.of(one, other).forEach(printing -> printing.shown().stream().filter(shown -> isEntry(shown.key()))
                .forEach(shown -> effects.putIfAbsent(list(shown.key()), shown.effect())));
        List<Difference> all = new ArrayList<>();
        effects.forEach((key, effect) -> {
            Map<String, Optional<Object>> was = before.getOrDefault(key, Map.of());
            Map<String, Optional<Object>> is = after.getOrDefault(key, Map.of());
            if (!was.equals(is)) {
                String many = many(is);
                all.add(new Difference(key, many(was), many.equals(many(was)) ? many + ", others" : many, effect));
            }
        });
        return all;
    }

    private static Map<String, Map<String, Optional<Object>>> entries(Printing printing) {
        Map<String, Map<String, Optional<Object>>> lists = new LinkedHashMap<>();
        printing.written().forEach((key, value) -> {
            if (isEntry(key)) {
                lists.computeIfAbsent(list(key), _ -> new LinkedHashMap<>()).put(key, value);
            }
        });
        return lists;
    }

    /** {@code volume} of {@code volume#2.path}. */
    private static String list(String key) {
        return key.substring(0, key.indexOf('#'));
    }

    private static String many(Map<String, Optional<Object>> entries) {
        long number = entries.keySet().stream().map(key -> key.replaceFirst("^([^#]*#\\d+).*$", "$1")).distinct()
                .count();
        return number + (number == 1 ? " entry" : " entries");
    }
}
