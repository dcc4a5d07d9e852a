package io.entrepot.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table for people: columns as wide as they need to be. */
final class Columns {
    private final List<List<String>> rows = new ArrayList<>();

    Columns(String... header) {
        rows.add(List.of(header));
    }

    Columns row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
        return this;
    }

    void print(PrintWriter out) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String cell = row.get(i);
                line.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
