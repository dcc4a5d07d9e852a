package io.entrepot.pool.internal;

import io.entrepot.pool.FileHistory;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.TenantId;
import io.entrepot.queue.HistoryStep;
import io.entrepot.store.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a file: its own row or what is left of it says where it came from and where it was moved, the queue says who
 * had it and how that ended. Safe for use by many threads.
 */
public final class Histories {
    /** The queue's words for what happened, in ours. */
    private static final Map<String, String> WORDS = Map.of("put", "written", "finished", "completed", "kept",
            "completed",
            "retrying", "failed", "dead", "failed-permanently", "released", "given-back", "expired", "lease-expired",
            "removed", "deleted");

    private final Parts parts;
    private final Views views;

    private record Past(Optional<String> name, long size, long created, long at, String why, Optional<String> source,
            String trail) {}

    public Histories(Parts parts) {
        this.parts = parts;
        this.views = new Views(parts);
    }

    /** @throws FileNotFoundException if nothing is known of it (any more) */
    public FileHistory of(TenantId id, FileKey key) {
        TenantRow tenant = parts.tenants().require(id).requireNotDisabled();
        record Found(Optional<FileRow> row, Optional<Past> past) {}
        Found found = parts.tenants().store(id).read(snapshot -> {
            Optional<FileRow> row = FileRow.find(snapshot, tenant.number(), key);
            return new Found(row, row.isPresent() ? Optional.empty() : past(snapshot, tenant, key));
        });
        List<HistoryStep> steps = parts.queues().history(Views.item(id, key));
        if (found.row.isPresent()) {
            FileRow row = found.row.get();
            Optional<FileInfo> now = views.find(tenant, key);
            return new FileHistory(id, key, row.name(), row.size(), Instant.ofEpochMilli(row.created()), now,
                    Optional.empty(), merged(row.created(), row.source(), row.trail(), steps));
        }
        Past past = found.past.orElseThrow(() -> new FileNotFoundException(id, key.toString()));
        return new FileHistory(id, key, past.name, past.size, Instant.ofEpochMilli(past.created), Optional.empty(),
                Optional.of(new FileHistory.Gone(Instant.ofEpochMilli(past.at), past.why)),
                merged(past.created, past.source, past.trail, steps));
    }

    private Optional<Past> past(Snapshot snapshot, TenantRow tenant, FileKey key) {
        List<@Nullable Object[]> days = new ArrayList<>();
        long today = Removal.day(snapshot.now());
        for (long day = today; day >= today - parts.config().history().toDays() - 1; day--) {
            days.add(new Object[]{day, tenant.number(), key.number()});
        }
        return snapshot.queryEach("WITH e (day, tenant, id) AS (VALUES $rows)"
                + " SELECT g.name, g.size, g.created, g.at, g.why, g.source, g.trail FROM e JOIN file_gone g"
                + " ON g.day = e.day AND g.tenant = e.tenant AND g.id = e.id WHERE g.nonce = ?",
                row -> new Past(Optional.ofNullable(row.getString(1)), row.getLong(2), row.getLong(3), row.getLong(4),
                        row.getString(5), Optional.ofNullable(row.getString(6)), row.getString(7)),
                days, key.nonce()).stream().findFirst();
    }

    private static List<HistoryEntry> merged(long created, Optional<String> source, String trail,
            List<HistoryStep> steps) {
        List<HistoryEntry> entries = new ArrayList<>();
        for (HistoryStep step : steps) {
            boolean written = step.what().equals("put");
            // One that was held is put when it is released, long after it was written.
            Instant at = written && step.at().toEpochMilli() > created ? Instant.ofEpochMilli(created) : step.at();
            entries.add(new HistoryEntry(at, WORDS.getOrDefault(step.what(), step.what()), step.epoch(),
                    Optional.of(step.holder()).filter(holder -> !holder.isEmpty()),
                    written ? source.map(from -> "from " + from) : step.note()));
        }
        if (steps.stream().noneMatch(step -> step.what().equals("put"))) {
            entries.addFirst(new HistoryEntry(Instant.ofEpochMilli(created), "written", 0, Optional.empty(),
                    source.map(from -> "from " + from)));
        }
        for (Trail.Step step : Trail.parse(trail)) {
            entries.add(new HistoryEntry(step.at(), step.what(), 0, Optional.empty(),
                    Optional.of(step.note()).filter(note -> !note.isEmpty())));
        }
        entries.sort(Comparator.comparing(HistoryEntry::at));
        return entries;
    }
}
