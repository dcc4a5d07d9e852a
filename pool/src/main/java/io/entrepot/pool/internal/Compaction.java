package io.entrepot.pool.internal;

import io.entrepot.pool.CompactionResult;
import io.entrepot.store.CompactionReport;
import io.entrepot.store.Owner;

/** Gives back what the databases do not use, one after another. For one thread. */
final class Compaction implements Sweep {
    private final Parts parts;
    private int databases;
    private long before;
    private long after;

    Compaction(Parts parts) {
        this.parts = parts;
    }

    @Override
    public void run(Tally tally) throws InterruptedException {
        for (Realm realm : Realm.all(parts, tally::problem)) {
            tally.attempt("database " + realm.name(), () -> {
                tally.progress(databases, "database " + realm.name());
                CompactionReport report = realm.store().compact();
                databases++;
                before += report.before();
                after += report.after();
                tally.add(Tally.Count.DATABASE_BYTES, report.reclaimed());
            });
        }
        CompactionResult result = result(tally);
        parts.stores().main().write(Owner.SYSTEM, tx -> {
            tx.publish(Owner.SYSTEM, "pool.compacted", "pool", new Body().with("databases", result.databases())
                    .with("before", result.sizeBefore()).with("after", result.sizeAfter()).toString());
            return true;
        });
    }

    CompactionResult result(Tally tally) {
        return new CompactionResult(databases, before, after, tally.problems());
    }
}
