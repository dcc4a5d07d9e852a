package io.entrepot.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows as people read them: aligned, each case with its peers on lines of their own below it, so that the table stays
 * narrow however many there are. A peer's line says how many times its figure the case reached.
 */
final class Table {

    private static final List<String> HEAD = List.of("case", "value", "unit", "min–max", "× peer");

    private Table() {}

    static String of(List<Row> rows) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEAD);
        for (Row row : rows) {
            lines.add(line(row.caseName(), row.series(), row.unit(), ""));
            row.peers().forEach((peer, series) -> lines
                    .add(line("  " + peer, series, "", Figures.text(row.ratio(peer)))));
        }
        return aligned(lines);
    }

    private static List<String> line(String name, Series series, String unit, String ratio) {
        return List.of(name, Figures.text(series.median()), unit,
                Figures.text(series.min()) + "–" + Figures.text(series.max()), ratio);
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
