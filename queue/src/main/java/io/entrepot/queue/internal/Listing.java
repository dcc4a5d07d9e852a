package io.entrepot.queue.internal;

import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemPage;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.ListRequest;
import io.entrepot.store.Snapshot;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pages of items. Each state has its own order, which is that of its table, so a page costs what it shows; without a
 * filter the states follow one another. A cursor names the last item shown by its place, so items that come and go
 * between two pages neither repeat nor hide others. Stateless.
 */
final class Listing {
    private static final List<ItemState> ORDER = List.of(ItemState.HELD, ItemState.READY, ItemState.DELAYED,
            ItemState.DEAD, ItemState.KEPT);
    private static final String COLUMNS = "i.id, i.state, i.place, i.priority, i.attempts, i.deliveries, i.epoch,"
            + " i.created, i.key, i.error, length(i.payload), h.holder, h.since, h.epoch, i.trail, i.queue";

    private final Lanes lanes;
    private final Duration priorityStep;

    Listing(Lanes lanes, Duration priorityStep) {
        this.lanes = lanes;
        this.priorityStep = priorityStep;
    }

    /** Where a page ended. */
    private record Cursor(ItemState state, long place, long id) {

        static Cursor parse(String text) {
            String[] part = text.split(":", -1);
            try {
                return new Cursor(ItemState.valueOf(part[0]), Long.parseLong(part[1]), Long.parseLong(part[2]));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new IllegalArgumentException("\"" + text + "\" is not a cursor; use the one a page came with", e);
            }
        }

        @Override
        public String toString() {
            return state + ":" + place + ":" + id;
        }
    }

    private record Row(ItemView view, Cursor cursor) {}

    /** Those of the items that are there, in the order in which they are named. */
    Map<ItemId, ItemView> find(Snapshot snapshot, Collection<ItemId> items) {
        List<@Nullable Object[]> rows = new ArrayList<>(items.size());
        items.stream().mapToLong(ItemId::number).distinct().forEach(number -> rows.add(new Object[]{number}));
        Map<ItemId, ItemView> found = new HashMap<>();
        snapshot.queryEach("WITH e (id) AS (VALUES $rows) SELECT " + COLUMNS
                + " FROM e JOIN item i ON i.id = e.id LEFT JOIN held h ON h.id = i.id",
                row -> read(row, lanes.lane(snapshot, row.getLong(16))).view, rows)
                .forEach(view -> found.put(view.id(), view));
        Map<ItemId, ItemView> inOrder = new LinkedHashMap<>();
        for (ItemId item : items) {
            ItemView view = found.get(item);
            if (view != null) {
                inOrder.put(item, view);
            }
        }
        return inOrder;
    }

    ItemPage page(Snapshot snapshot, Lane lane, ListRequest request) {
        @Nullable
        Cursor from = request.cursor().isEmpty() ? null : Cursor.parse(request.cursor());
        List<Row> rows = new ArrayList<>();
        for (ItemState state : ORDER) {
            boolean wanted = request.state().map(state::equals).orElse(true)
                    && (request.holder().isEmpty() || state == ItemState.HELD)
                    && (from == null || ORDER.indexOf(state) >= ORDER.indexOf(from.state));
            if (wanted && rows.size() <= request.limit()) {
                Cursor after = from != null && from.state == state ? from : new Cursor(state, Long.MIN_VALUE, 0);
                rows.addAll(rows(snapshot, lane, after, request, request.limit() + 1 - rows.size()));
            }
        }
        boolean more = rows.size() > request.limit();
        List<Row> shown = more ? rows.subList(0, request.limit()) : rows;
        return new ItemPage(shown.stream().map(Row::view).toList(), more ? shown.getLast().cursor.toString() : "");
    }

    private List<Row> rows(Snapshot snapshot, Lane lane, Cursor after, ListRequest request, int limit) {
        return switch (after.state) {
            case READY -> snapshot.query("SELECT " + COLUMNS + " FROM ready r JOIN item i ON i.id = r.id"
                    + " LEFT JOIN held h ON h.id = i.id WHERE r.queue = ? AND (r.rank, r.id) > (?, ?)"
                    + " ORDER BY r.rank, r.id LIMIT ?", row -> read(row, lane), lane.id(), after.place, after.id,
                    limit);
            case HELD -> snapshot.query("SELECT " + COLUMNS + " FROM held h JOIN item i ON i.id = h.id"
                    + " WHERE h.queue = ? AND h.id > ? AND h.holder = coalesce(?, h.holder) ORDER BY h.id LIMIT ?",
                    row -> read(row, lane), lane.id(), after.id, request.holder().orElse(null), limit);
            case DELAYED, KEPT, DEAD -> snapshot.query("SELECT " + COLUMNS + " FROM parked p JOIN item i ON i.id = p.id"
                    + " LEFT JOIN held h ON h.id = i.id WHERE p.queue = ? AND p.state = ? AND (p.at, p.id) > (?, ?)"
                    + " ORDER BY p.at, p.id LIMIT ?", row -> read(row, lane), lane.id(), States.of(after.state),
                    after.place, after.id, limit);
        };
    }

    private Row read(ResultSet row, Lane lane) throws SQLException {
        long id = row.getLong(1);
        int stored = row.getInt(2);
        long place = row.getLong(3);
        long created = row.getLong(8);
        String holder = row.getString(12);
        ItemState state = stored != States.OPEN
                ? States.parked(stored)
                : holder != null ? ItemState.HELD : ItemState.READY;
        long since = switch (state) {
            case HELD -> row.getLong(13);
            case READY -> place + row.getInt(4) * priorityStep.toMillis();
            case DELAYED, KEPT, DEAD -> place;
        };
        long epoch = state == ItemState.HELD ? row.getLong(14) : row.getLong(7);
        ItemView view = new ItemView(new ItemId(lane.name().owner(), id), lane.name(), state,
                Instant.ofEpochMilli(since),
                row.getInt(4), row.getInt(5), row.getInt(6), epoch, Optional.ofNullable(holder),
                Optional.ofNullable(row.getString(10)), Trail.lastFailure(row.getString(15)),
                Instant.ofEpochMilli(created),
                Optional.ofNullable(row.getString(9)),
                row.getInt(11));
        return new Row(view, new Cursor(state, state == ItemState.HELD ? 0 : place, id));
    }
}
