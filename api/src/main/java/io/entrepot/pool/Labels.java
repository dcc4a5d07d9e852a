package io.entrepot.pool;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What a user has written on a file: a few short names with values. */
public record Labels(SortedMap<String, String> all) {
    public static final Labels NONE = new Labels(new TreeMap<>());
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final int LARGEST = 1024;

    public Labels {
        all = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(all));
        int size = 0;
        for (Map.Entry<String, String> label : all.entrySet()) {
            if (!NAME.matcher(label.getKey()).matches()) {
                throw new InvalidNameException(
                        "\"" + label.getKey() + "\" is not a label: 1 to 63 of A-Z a-z 0-9 . _ -,"
                                + " starting with a letter or digit");
            }
            if (label.getValue().chars().anyMatch(Character::isISOControl)) {
                throw new InvalidNameException("the label " + label.getKey() + " has control characters in its value");
            }
            size += label.getKey().length() + label.getValue().length();
        }
        if (size > LARGEST) {
            throw new InvalidNameException("the labels of a file have at most " + LARGEST + " characters, not " + size);
        }
    }

    public static Labels of(Map<String, String> labels) {
        return labels.isEmpty() ? NONE : new Labels(new TreeMap<>(labels));
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }
}
