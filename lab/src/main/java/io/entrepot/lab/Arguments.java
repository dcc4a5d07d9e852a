package io.entrepot.lab;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A command line: words, flags and options with a value, in any order. Immutable. */
public record Arguments(List<String> words, Set<String> flags, Map<String, String> values) {

    public Arguments {
        words = List.copyOf(words);
        flags = Set.copyOf(flags);
        values = Map.copyOf(values);
    }

    /** What a person typed cannot be understood; the message says what. */
    public static final class UsageException extends Exception {
        public UsageException(String message) {
            super(message);
        }
    }

    /** Takes a line apart by what is known. {@code --option=value} is the same as {@code --option value}. */
    public static Arguments parse(String[] line, Set<String> knownFlags, Set<String> knownValues)
            throws UsageException {
        List<String> words = new ArrayList<>();
        Set<String> flags = new HashSet<>();
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < line.length; i++) {
            String[] parts = line[i].split("=", 2);
            if (!line[i].startsWith("-")) {
                words.add(line[i]);
            } else if (knownFlags.contains(line[i])) {
                flags.add(line[i]);
            } else if (knownValues.contains(parts[0]) && parts.length == 2) {
                values.put(parts[0], parts[1]);
            } else if (knownValues.contains(parts[0]) && i + 1 < line.length) {
                values.put(parts[0], line[++i]);
            } else if (knownValues.contains(parts[0])) {
                throw new UsageException(parts[0] + " needs a value");
            } else {
                throw new UsageException("unknown option " + parts[0]);
            }
        }
        return new Arguments(words, flags, values);
    }

    public boolean has(String flag) {
        return flags.contains(flag);
    }

    public Optional<String> value(String option) {
        return Optional.ofNullable(values.get(option));
    }

    /** A whole number of at least the given size. */
    public Optional<Long> number(String option, long least) throws UsageException {
        String text = values.get(option);
        if (text == null) {
            return Optional.empty();
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least) {
                return Optional.of(number);
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageException(option + " needs a whole number"
                + (least == Long.MIN_VALUE ? "" : " of at least " + least) + ", not \"" + text + "\"");
    }
}
