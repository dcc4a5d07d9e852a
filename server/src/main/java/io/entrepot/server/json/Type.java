package io.entrepot.server.json;

import java.util.Arrays;
import java.util.List;

/** What sort of JSON a value is: for the description, and for writing it. */
public sealed interface Type {
    Type TEXT = new Text("");
    Type TIME = new Text("date-time");
    Type DURATION = new Text("duration");
    Type WHOLE = new Whole(Long.MIN_VALUE, Long.MAX_VALUE);
    Type COUNT = new Whole(0, Long.MAX_VALUE);
    Type TRUTH = new Truth();
    Type TEXTS = new ListOf(TEXT);

    /** @param format as in JSON Schema; empty for any text */
    record Text(String format) implements Type {}

    record Whole(long lowest, long highest) implements Type {}

    record Decimal() implements Type {}

    record Truth() implements Type {}

    /** One of these words. */
    record Choice(List<String> words) implements Type {
        public Choice {
            words = List.copyOf(words);
        }
    }

    record ListOf(Type each) implements Type {}

    /** Any names, with values of that type. */
    record MapOf(Type each) implements Type {}

    /** An object with these fields. */
    record Of(Form form) implements Type {}

    /** Any JSON object; the words say what. */
    record Free() implements Type {}

    static <E extends Enum<E>> Type choice(Class<E> type) {
        return new Choice(Arrays.stream(type.getEnumConstants()).map(Words::of).toList());
    }
}
