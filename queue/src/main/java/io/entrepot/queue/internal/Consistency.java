package io.entrepot.queue.internal;

import io.entrepot.queue.ItemState;
import io.entrepot.store.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** Every item is in exactly one place, and the counters are right. Reads everything. Stateless. */
final class Consistency {

    private Consistency() {}

    static List<String> problems(Snapshot snapshot) {
        List<String> problems = new ArrayList<>();
        problems.addAll(snapshot.query(
                "SELECT id, places FROM (SELECT i.id, (SELECT count(*) FROM ready r WHERE r.queue = i.queue AND r.rank = i.place"
                        + " AND r.id = i.id) + (SELECT count(*) FROM held h WHERE h.id = i.id) + (SELECT count(*) FROM parked p"
                        + " WHERE p.queue = i.queue AND p.state = i.state AND p.at = i.place AND p.id = i.id) AS places"
                        + " FROM item i) AS placed WHERE places <> 1 LIMIT 100",
                row -> "item " + row.getLong(1) + " is in " + row.getInt(2) + " places"));
        for (String table : List.of("ready", "held", "parked")) {
            problems.addAll(
                    snapshot.query("SELECT id FROM " + table + " WHERE id NOT IN (SELECT id FROM item) LIMIT 100",
                            row -> table + " has item " + row.getLong(1) + ", which does not exist"));
        }
        for (Lane lane : Lanes.all(snapshot)) {
            for (ItemState state : ItemState.values()) {
                long kept = snapshot.count(lane.counter(state));
                long real = real(snapshot, lane, state);
                if (kept != real) {
                    problems.add(lane.name() + " counts " + kept + " " + state + " items and has " + real);
                }
            }
        }
        return problems;
    }

    private static long real(Snapshot snapshot, Lane lane, ItemState state) {
        return switch (state) {
            case READY -> count(snapshot, "SELECT count(*) FROM ready WHERE queue = ?", lane.id());
            case HELD -> count(snapshot, "SELECT count(*) FROM held WHERE queue = ?", lane.id());
            case DELAYED, KEPT, DEAD -> count(snapshot, "SELECT count(*) FROM parked WHERE queue = ? AND state = ?",
                    lane.id(), States.of(state));
        };
    }

    private static long count(Snapshot snapshot, String sql, Object... args) {
        return snapshot.first(sql, row -> row.getLong(1), args).orElse(0L);
    }
}
