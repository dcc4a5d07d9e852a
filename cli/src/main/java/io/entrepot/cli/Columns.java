package io.entrepot.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A table for people: columns as wide as they need to be. A long one can be printed piece by piece. */
final class Columns {
    private final List<List<String>> rows = new ArrayList<>();
    private final int[] widths;
    private Set<Integer> right = Set.of();

    Columns(String... header) {
        rows.add(List.of(header));
        widths = new int[header.length];
    }

    /** Numbers are read from their right end; these columns have some. */
    Columns right(Integer... columns) {
        right = Set.of(columns);
        return this;
    }

    Columns row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
        return this;
    }

    /** What has come so far; columns keep at least the width that they have then. */
    void print(PrintWriter out) {
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], TextWidth.of(row.get(i)));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = row.get(i);
                String filler = " ".repeat(widths[i] - TextWidth.of(cell));
                line.append(right.contains(i) ? filler + cell : cell + filler).append("  ");
            }
            out.println(line.toString().stripTrailing());
        }
        rows.clear();
    }
}
