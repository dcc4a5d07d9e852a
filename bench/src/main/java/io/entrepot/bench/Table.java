package io.entrepot.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Rows as people read them: aligned, one column per peer, blanks where a row has no such peer. */
final class Table {

    private Table() {}

    static String of(List<Row> rows) {
        Set<String> peers = new LinkedHashSet<>();
        rows.forEach(row -> peers.addAll(row.peers().keySet()));
        List<List<String>> cells = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("case", "value", "unit", "min–max"));
        peers.forEach(peer -> head.add("× " + peer));
        cells.add(head);
        for (Row row : rows) {
            List<String> line = new ArrayList<>(List.of(row.caseName(), Figures.text(row.series().median()), row.unit(),
                    Figures.text(row.series().min()) + "–" + Figures.text(row.series().max())));
            for (String peer : peers) {
                line.add(row.peers().containsKey(peer)
                        ? Figures.text(row.ratio(peer)) + " of " + Figures.text(row.peers().get(peer).median())
                        : "");
            }
            cells.add(line);
        }
        return aligned(cells);
    }

    private static String aligned(List<List<String>> cells) {
        StringBuilder text = new StringBuilder();
        for (List<String> line : cells) {
            StringBuilder row = new StringBuilder();
            for (int column = 0; column < line.size(); column++) {
                int at = column;
                int width = cells.stream().mapToInt(other -> other.get(at).length()).max().orElse(0);
                boolean words = column == 0 || column == 2;
                String padding = " ".repeat(width - line.get(column).length());
                row.append(words ? line.get(column) + padding : padding + line.get(column)).append("  ");
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
