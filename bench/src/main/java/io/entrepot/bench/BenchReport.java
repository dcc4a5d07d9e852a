package io.entrepot.bench;

import io.entrepot.lab.Machine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a run found, for people and for programs. Immutable. */
record BenchReport(String bench, Machine machine, List<Row> rows, List<Goal> goals, List<String> notes) {

    static BenchReport of(Bench bench, Machine machine, BenchRun run) {
        return new BenchReport(bench.name(), machine, run.rows(), run.goals(), run.notes());
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("bench ").append(bench).append(" on ").append(machine.text()).append("\n\n");
        text.append(Table.of(rows));
        if (!goals.isEmpty()) {
            text.append('\n');
        }
        goals.forEach(goal -> text.append(goal.line()).append('\n'));
        notes.forEach(note -> text.append("note: ").append(note).append('\n'));
        return text.toString();
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("bench", bench);
        json.put("machine", machine);
        json.put("rows", rows.stream().map(Row::json).toList());
        json.put("goals", goals.stream().map(Goal::json).toList());
        json.put("notes", notes);
        return json;
    }
}
