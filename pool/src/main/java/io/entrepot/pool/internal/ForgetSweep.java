package io.entrepot.pool.internal;

import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.time.Instant;

/** What is remembered for long enough: files that are gone, idempotency keys, events. In portions, for others to get through. */
final class ForgetSweep implements Sweep {
    private static final int AT_ONCE = 1000;

    private final Parts parts;

    private interface Portion {
        int forget(Transaction tx);
    }

    ForgetSweep(Parts parts) {
        this.parts = parts;
    }

    @Override
    public void run(Tally tally) throws InterruptedException {
        for (Realm realm : Realm.all(parts, tally::problem)) {
            tally.attempt("database " + realm.name(), () -> forget(realm, tally));
        }
    }

    private void forget(Realm realm, Tally tally) {
        Store store = realm.store();
        tell(realm, tally);
        Duration history = parts.config().history();
        long now = store.read(snapshot -> snapshot.now());
        long day = Removal.day(now - history.toMillis()); // of that day some are still to be remembered
        Instant events = Instant.ofEpochMilli(now).minus(parts.config().cleanup().eventRetention());
        if (tally.isDryRun()) {
            tally.add(Tally.Count.FORGOTTEN, store.read(snapshot -> snapshot.query(
                    "SELECT count(*) FROM file_gone WHERE day < ?", row -> row.getLong(1), day).getFirst()
                    + IdempotencyKeys.forgettable(snapshot)));
            tally.add(Tally.Count.FORGOTTEN, store.events().countBefore(events));
            tell(realm, tally);
            return;
        }
        inPortions(realm, tally, tx -> tx.update("DELETE FROM file_gone WHERE (day, tenant, id) IN"
                + " (SELECT day, tenant, id FROM file_gone WHERE day < ? ORDER BY day, tenant, id LIMIT ?)", day,
                AT_ONCE));
        while (store.write(Owner.SYSTEM, tx -> parts.keys().renew(tx, AT_ONCE)) > 0) {
            tally.checkpoint();
        }
        inPortions(realm, tally, tx -> parts.keys().forget(tx, AT_ONCE));
        tally.checkpoint();
        tally.add(Tally.Count.FORGOTTEN, store.events().forgetBefore(events));
        tell(realm, tally);
    }

    private static void tell(Realm realm, Tally tally) {
        tally.progress(tally.count(Tally.Count.FORGOTTEN), "database " + realm.name());
    }

    private static void inPortions(Realm realm, Tally tally, Portion portion) {
        int n;
        do {
            tally.checkpoint();
            n = realm.store().write(Owner.SYSTEM, portion::forget);
            tally.add(Tally.Count.FORGOTTEN, n);
            tell(realm, tally);
        } while (n > 0);
    }
}
