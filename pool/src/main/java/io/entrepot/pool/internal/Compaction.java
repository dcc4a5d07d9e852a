package io.entrepot.pool.internal;

import io.entrepot.pool.CompactionResult;
import io.entrepot.store.CompactionReport;
import io.entrepot.store.Owner;
import io.entrepot.store.Reclaimable;

/** Gives back what the databases do not use, one after another, or says how much that is. For one thread. */
final class Compaction implements Sweep {
    private final Parts parts;
    private int databases;
    private long before;
    private long after;
    private int unknown;

    Compaction(Parts parts) {
        this.parts = parts;
    }

    @Override
    public void run(Tally tally) throws InterruptedException {
        for (Realm realm : Realm.all(parts, tally::problem)) {
            tally.attempt("database " + realm.name(), () -> {
                tally.progress(databases, "database " + realm.name());
                if (tally.isDryRun()) {
                    look(realm, tally);
                } else {
                    compact(realm, tally);
                }
            });
        }
        if (!tally.isDryRun()) {
            tell(tally);
        }
    }

    private void look(Realm realm, Tally tally) {
        Reclaimable reclaimable = realm.store().reclaimable();
        databases++;
        before += reclaimable.size();
        after += reclaimable.size() - reclaimable.bytes().orElse(0);
        unknown += reclaimable.bytes().isPresent() ? 0 : 1;
        tally.add(Tally.Count.DATABASE_BYTES, reclaimable.bytes().orElse(0));
    }

    private void compact(Realm realm, Tally tally) {
        CompactionReport report = realm.store().compact();
        databases++;
        before += report.before();
        after += report.after();
        tally.add(Tally.Count.DATABASE_BYTES, report.reclaimed());
    }

    private void tell(Tally tally) {
        CompactionResult result = result(tally);
        parts.stores().main().write(Owner.SYSTEM, tx -> {
            tx.publish(Owner.SYSTEM, "pool.compacted", "pool", new Body().with("databases", result.databases())
                    .with("before", result.sizeBefore()).with("after", result.sizeAfter()).toString());
            return true;
        });
    }

    CompactionResult result(Tally tally) {
        return new CompactionResult(databases, before, after, tally.problems(), tally.isDryRun(), unknown);
    }

    String words(Tally tally) {
        return tally.words() + (unknown == 0
                ? ""
                : "; how much " + unknown + " databases would give back is known only when they are compacted");
    }
}
