package io.entrepot.store.internal.jdbc;

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
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease table. Who holds what is in the database; when a term began is only in memory.
 *
 * <p>Grants are decided by the committing thread, one after another. Where only this process writes, a renewal normally
 * touches only memory. It must not slip in between the decision to grant a lease anew and its commit, or an unfenced
 * lease would have two holders; so once a lease is over, its renewal goes through the committing thread too. Since the
 * ticker does not go back and is read under the same lock, a renewal that finds the lease not over comes before any
 * decision that it is.
 *
 * <p>Where other processes write too, each renewal is counted in the row. A term is then over for a process that has seen
 * the row unchanged for all of it, on its own ticker: no clock but that one is believed.
 *
 * <p>A renewal through the committing thread counts from its decision, not from its commit: a request that is decided
 * after it in the same group must see it. If the group then fails, the holder was given more time than it knows of.
 *
 * <p>Safe for use by many threads: one lock around the rows.
 */
public final class JdbcLeases implements Leases {
    private final Store store;
    private final Runnable refuseIfEnded;
    private final boolean alone;
    private final Ticker ticker;
    private final Nonces nonces;
    private final String select;
    /** Guarded by this. What is committed, with the beginning of terms. */
    private final Map<String, Seen> rows = new HashMap<>();

    /** A row, and how often its lease had been renewed when it was seen. */
    private record Seen(Grant grant, long renewals) {

        boolean isOf(Seen other) {
            return renewals == other.renewals && grant instanceof Grant.Held mine
                    && other.grant instanceof Grant.Held others && mine.lease().equals(others.lease());
        }
    }

    /** {@code alone}: whether nobody but this process writes. */
    public JdbcLeases(Store store, Runnable refuseIfEnded, boolean alone, Ticker ticker, Nonces nonces) {
        this.store = store;
        this.refuseIfEnded = refuseIfEnded;
        this.alone = alone;
        this.ticker = ticker;
        this.nonces = nonces;
        this.select = "SELECT name, held, holder, epoch, nonce, term, protection, " + (alone ? "0" : "renewals")
                + " FROM lease";
    }

    /** After a restart: everybody who held a lease has a fresh full term. */
    public synchronized void load(Sql sql) throws SQLException {
        sql.query(select, this::row).forEach(this::remember);
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
        refuseIfEnded.run();
        if (alone) {
            synchronized (this) {
                long now = ticker.nanos();
                if (held(name) instanceof Grant.Held held && !held.isOver(now)) {
                    Decision<Renewal> decision = held.renew(fence, now);
                    remember(new Seen(decision.row(), 0));
                    return decision.answer();
                }
            }
        }
        return store.write(Owner.SYSTEM, tx -> renewed(tx, name, fence));
    }

    private synchronized Renewal renewed(Transaction tx, String name, Fence fence) {
        Seen before = seen(tx, name);
        Decision<Renewal> decision = before.grant.renew(fence, ticker.nanos());
        if (decision.answer() instanceof Renewal.Renewed) {
            Seen after = new Seen(decision.row(), before.renewals + (alone ? 0 : 1));
            Seen known = rows.get(name);
            if (!alone) {
                tx.update("UPDATE lease SET renewals = ? WHERE name = ?", after.renewals, name);
                tx.afterCommit(() -> remember(after));
            } else if (known != null && known.isOf(after)) {
                remember(after); // what is not committed yet is not in memory, and is not put there by this
            }
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
        refuseIfEnded.run();
        Seen row = rows.get(name);
        if (row == null || !row.grant.holds(fence)) {
            return false;
        }
        remember(new Seen(row.grant.gone(fence), row.renewals));
        return true;
    }

    @Override
    public Optional<Lease> current(String name) {
        refuseIfEnded.run();
        Grant row = alone
                ? held(name)
                : store.read(snapshot -> snapshot.first(select + " WHERE name = ?", this::row, name)).map(Seen::grant)
                        .orElse(null);
        return row instanceof Grant.Held held ? Optional.of(held.lease()) : Optional.empty();
    }

    private synchronized @Nullable Grant held(String name) {
        Seen seen = rows.get(name);
        return seen == null ? null : seen.grant;
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

    private Grant current(Transaction tx, String name) {
        return seen(tx, name).grant;
    }

    /** The row as this transaction sees it; when its term began is known if it was seen before. */
    private synchronized Seen seen(Transaction tx, String name) {
        Seen stored = tx.first(select + " WHERE name = ?", this::row, name)
                .orElseGet(() -> new Seen(Grant.unknown(name), 0));
        Seen known = rows.get(name);
        if (known != null && known.isOf(stored)) {
            return known;
        }
        if (!alone) {
            remember(stored); // from now on its term is counted here
        }
        return stored;
    }

    private void keep(Transaction tx, Grant row) {
        switch (row) {
            case Grant.Held held -> {
                Lease lease = held.lease();
                tx.update(
                        "INSERT INTO lease (name, held, holder, epoch, nonce, term, protection) VALUES (?, 1, ?, ?, ?, ?, ?)"
                                + " ON CONFLICT (name) DO UPDATE SET held = 1, holder = excluded.holder, epoch = excluded.epoch,"
                                + " nonce = excluded.nonce, term = excluded.term, protection = excluded.protection"
                                + (alone
                                        ? ""
                                        : ", renewals = 0"),
                        lease.name(), lease.holder(), lease.fence().epoch().value(), lease.fence().nonce(),
                        lease.term().toMillis(), lease.protection().name());
            }
            case Grant.Free free -> tx.update("UPDATE lease SET held = 0 WHERE name = ?", free.name());
        }
        tx.afterCommit(() -> remember(new Seen(row, 0)));
    }

    private synchronized void remember(Seen row) {
        rows.put(row.grant.name(), row);
    }

    private Seen row(ResultSet row) throws SQLException {
        Epoch epoch = new Epoch(row.getLong(4));
        if (row.getInt(2) == 0) {
            return new Seen(new Grant.Free(row.getString(1), epoch), row.getLong(8));
        }
        Lease lease = new Lease(row.getString(1), row.getString(3), new Fence(epoch, row.getLong(5)),
                Duration.ofMillis(row.getLong(6)), Protection.valueOf(row.getString(7)));
        return new Seen(new Grant.Held(lease, ticker.nanos(), false), row.getLong(8));
    }
}
