package io.entrepot.store.internal.sqlite;

import io.entrepot.lease.Decision;
import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.lease.Grant;
import io.entrepot.lease.Lease;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.lease.Nonces;
import io.entrepot.lease.Protection;
import io.entrepot.lease.Renewal;
import io.entrepot.lease.Ticker;
import io.entrepot.lease.Verdict;
import io.entrepot.store.Leases;
import io.entrepot.store.Owner;
import io.entrepot.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The lease table. Who holds what is in the database; when a term began is only in memory.
 *
 * <p>Grants are decided by the committing thread, one after another. A renewal normally touches only memory. It must
 * not slip in between the decision to grant a lease anew and its commit, or an unfenced lease would have two holders;
 * so once a lease is over, its renewal goes through the committing thread too. Since the ticker does not go back and
 * is read under the same lock, a renewal that finds the lease not over comes before any decision that it is.
 *
 * <p>A renewal through the committing thread counts from its decision, not from its commit: a request that is decided
 * after it in the same group must see it. If the group then fails, the holder was given more time than it knows of.
 *
 * <p>Safe for use by many threads: one lock around the rows.
 */
final class SqliteLeases implements Leases {
    private final SqliteStore store;
    private final Ticker ticker;
    private final Nonces nonces;
    /** Guarded by this. What is committed, with the beginning of terms. */
    private final Map<String, Grant> rows = new HashMap<>();

    SqliteLeases(SqliteStore store, Ticker ticker, Nonces nonces) {
        this.store = store;
        this.ticker = ticker;
        this.nonces = nonces;
    }

    /** After a restart: everybody who held a lease has a fresh full term. */
    synchronized void load(Sql sql) throws SQLException {
        sql.query("SELECT name, held, holder, epoch, nonce, term, protection FROM lease", this::row)
                .forEach(row -> rows.put(row.name(), row));
    }

    @Override
    public Verdict request(String name, String holder, Duration term, Protection protection) {
        return store.write(Owner.SYSTEM, tx -> {
            Decision<Verdict> decision = decide(tx, name,
                    (row, now) -> row.request(holder, term, protection, now, nonces.next()));
            if (decision.answer() instanceof Verdict.Granted) {
                keep(tx, decision.row());
            }
            return decision.answer();
        });
    }

    @Override
    public Renewal renew(String name, Fence fence) {
        store.refuseIfEnded();
        synchronized (this) {
            long now = ticker.nanos();
            if (rows.get(name) instanceof Grant.Held held && !held.isOver(now)) {
                Decision<Renewal> decision = held.renew(fence, now);
                rows.put(name, decision.row());
                return decision.answer();
            }
        }
        return store.write(Owner.SYSTEM, tx -> renewed(tx, name, fence));
    }

    private synchronized Renewal renewed(Transaction tx, String name, Fence fence) {
        Decision<Renewal> decision = decide(tx, name, (row, now) -> row.renew(fence, now));
        // What is not committed yet is not in memory, and is not put there by this.
        if (decision.answer() instanceof Renewal.Renewed renewed && rows.get(name) instanceof Grant.Held known
                && known.lease().equals(renewed.lease())) {
            rows.put(name, decision.row());
        }
        return decision.answer();
    }

    @Override
    public boolean release(String name, Fence fence) {
        return store.write(Owner.SYSTEM, tx -> {
            Grant row = current(tx, name);
            if (row.holds(fence)) {
                keep(tx, row.release(fence));
                return true;
            }
            return false;
        });
    }

    @Override
    public synchronized boolean gone(String name, Fence fence) {
        store.refuseIfEnded();
        Grant row = rows.get(name);
        if (row == null || !row.holds(fence)) {
            return false;
        }
        rows.put(name, row.gone(fence));
        return true;
    }

    @Override
    public synchronized Optional<Lease> current(String name) {
        store.refuseIfEnded();
        return rows.get(name) instanceof Grant.Held held ? Optional.of(held.lease()) : Optional.empty();
    }

    @Override
    public void require(Transaction tx, String name, Fence fence) {
        if (!current(tx, name).holds(fence)) {
            throw new LeaseLostException(name, fence);
        }
    }

    private interface Rule<A> {
        Decision<A> decide(Grant row, long now);
    }

    private synchronized <A> Decision<A> decide(Transaction tx, String name, Rule<A> rule) {
        return rule.decide(current(tx, name), ticker.nanos());
    }

    /** The row as this transaction sees it; when its term began is known if its grant has been committed. */
    private synchronized Grant current(Transaction tx, String name) {
        Grant stored = tx.first("SELECT name, held, holder, epoch, nonce, term, protection FROM lease WHERE name = ?",
                this::row, name).orElseGet(() -> Grant.unknown(name));
        return stored instanceof Grant.Held held && rows.get(name) instanceof Grant.Held known
                && known.lease().equals(held.lease()) ? known : stored;
    }

    private void keep(Transaction tx, Grant row) {
        switch (row) {
            case Grant.Held held -> {
                Lease lease = held.lease();
                tx.update(
                        "INSERT INTO lease (name, held, holder, epoch, nonce, term, protection) VALUES (?, 1, ?, ?, ?, ?, ?)"
                                + " ON CONFLICT (name) DO UPDATE SET held = 1, holder = excluded.holder, epoch = excluded.epoch,"
                                + " nonce = excluded.nonce, term = excluded.term, protection = excluded.protection",
                        lease.name(), lease.holder(), lease.fence().epoch().value(), lease.fence().nonce(),
                        lease.term().toMillis(), lease.protection().name());
            }
            case Grant.Free free -> tx.update("UPDATE lease SET held = 0 WHERE name = ?", free.name());
        }
        tx.afterCommit(() -> remember(row));
    }

    private synchronized void remember(Grant row) {
        rows.put(row.name(), row);
    }

    private Grant row(ResultSet row) throws SQLException {
        Epoch epoch = new Epoch(row.getLong(4));
        if (row.getInt(2) == 0) {
            return new Grant.Free(row.getString(1), epoch);
        }
        Lease lease = new Lease(row.getString(1), row.getString(3), new Fence(epoch, row.getLong(5)),
                Duration.ofMillis(row.getLong(6)), Protection.valueOf(row.getString(7)));
        return new Grant.Held(lease, ticker.nanos(), false);
    }
}
