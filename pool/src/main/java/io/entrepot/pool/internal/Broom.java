package io.entrepot.pool.internal;

import io.entrepot.lease.Fence;
import io.entrepot.lease.Lease;
import io.entrepot.lease.Nonces;
import io.entrepot.lease.Protection;
import io.entrepot.lease.Renewal;
import io.entrepot.lease.Ticker;
import io.entrepot.lease.Verdict;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.store.Store;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Who moves and clears bytes: one process at a time. Where one process owns the database there is nothing to do. Where several
 * share it, two of them could take each other's new copy of a file for an old one; so the process that has such work under way
 * has a lease, as one, however many jobs it runs: those keep apart by {@link LiveWrites}.
 *
 * <p>Nobody checks a fence where bytes are deleted, so the lease is unfenced, and its holder stops well before its end. Safe for
 * use by many threads: everything is changed under its lock.
 */
final class Broom {
    private static final String NAME = "pool.broom";
    private static final Duration TERM = Duration.ofMinutes(2);
    private static final long RENEWED_AFTER = TERM.dividedBy(4).toNanos();
    private static final long STOPPED_AFTER = TERM.dividedBy(2).toNanos();

    private final Store main;
    private final Ticker ticker;
    private final String holder;
    private int users;
    private @Nullable Fence fence;
    /** When the last renewal was sent that succeeded. */
    private long sent;

    Broom(Store main, Ticker ticker, Nonces nonces) {
        this.main = main;
        this.ticker = ticker;
        this.holder = "process " + HexFormat.of().toHexDigits(nonces.next());
    }

    /** Held by one job, until it is closed. */
    final class Hold implements AutoCloseable {

        /** Before every step that moves or clears. @throws PoolUnavailableException if it is not ours any more */
        void check() {
            renew();
        }

        @Override
        public void close() {
            leave();
        }
    }

    /** @throws PoolUnavailableException if another process has it */
    synchronized Hold take() {
        if (main.shared() && users == 0) {
            long now = ticker.nanos();
            switch (main.leases().request(NAME, holder, TERM, Protection.UNFENCED)) {
                case Verdict.Granted(Lease lease) -> {
                    fence = lease.fence();
                    sent = now;
                }
                case Verdict.Refused(Lease current, Duration after) -> throw new PoolUnavailableException(
                        current.holder() + " moves or clears files now; try again in " + after.toSeconds() + " s");
            }
        }
        users++;
        return new Hold();
    }

    private synchronized void renew() {
        Fence mine = fence;
        if (mine == null || ticker.nanos() - sent < RENEWED_AFTER) {
            return;
        }
        long now = ticker.nanos();
        if (now - sent > STOPPED_AFTER || main.leases().renew(NAME, mine) instanceof Renewal.Lost) {
            throw new PoolUnavailableException("another process may move or clear files now; this one stops");
        }
        sent = now;
    }

    private synchronized void leave() {
        Fence mine = fence;
        if (--users == 0 && mine != null) {
            fence = null;
            main.leases().release(NAME, mine);
        }
    }
}
