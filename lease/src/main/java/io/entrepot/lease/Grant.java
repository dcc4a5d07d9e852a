package io.entrepot.lease;

import io.entrepot.lease.Renewal.Lost;
import io.entrepot.lease.Renewal.Reason;
import io.entrepot.lease.Renewal.Renewed;
import io.entrepot.lease.Verdict.Granted;
import io.entrepot.lease.Verdict.Refused;
import java.time.Duration;

/**
 * What a grantor knows about one name, as an immutable row, and every decision about it as a pure function from the row
 * and the grantor's ticker reading to the next row. {@link Grantor} keeps such rows in memory; a durable store runs the
 * same functions inside its transaction. A store persists the lease and whether it is held; {@code countedFrom} and
 * {@code gone} may live in memory only, since after a restart a fresh full term counts ({@link #adopt}).
 *
 * <p>INVARIANTS. The epoch of a name never falls, and every grant raises it. A lease is <em>current</em> from its grant
 * until it is released, expired or granted anew, and a clock alone never changes that: a term that has run out only
 * allows the next grant. So {@link #holds} is a check of the fence and needs no time, and no two fences are ever current
 * at once.
 */
public sealed interface Grant {

    String name();

    /** The last epoch that was granted under this name. */
    Epoch epoch();

    /** Nobody has it. */
    record Free(String name, Epoch epoch) implements Grant {
        public Free {
            if (name.isBlank()) {
                throw new IllegalArgumentException("A lease has a name");
            }
        }
    }

    /** The term counts from the ticker reading at which the last grant or renewal was decided. */
    record Held(Lease lease, long countedFrom, boolean gone) implements Grant {
        @Override
        public String name() {
            return lease.name();
        }

        @Override
        public Epoch epoch() {
            return lease.fence().epoch();
        }

        /** Whether it may be granted anew: the term has run out, or the fence alone keeps the holder, who is gone, from harm. */
        public boolean isOver(long now) {
            return left(now) <= 0 || (gone && lease.protection() == Protection.FENCED);
        }

        private long left(long now) {
            return lease.term().toNanos() - (now - countedFrom);
        }
    }

    /** The row of a name that was never leased. */
    static Grant unknown(String name) {
        return new Free(name, Epoch.NONE);
    }

    /**
     * A holder who asks again is refused like anybody else: another process of that name could not be told from it. With
     * the fence it can {@link #renew}. The current lease's protection decides how long to wait, not the wanted one's.
     */
    default Decision<Verdict> request(String holder, Duration term, Protection protection, long now, long nonce) {
        Lease wanted = new Lease(name(), holder, new Fence(epoch().next(), nonce), term, protection);
        if (this instanceof Held held && !held.isOver(now)) {
            return new Decision<>(new Refused(held.lease, Duration.ofNanos(held.left(now))), this);
        }
        return new Decision<>(new Granted(wanted), new Held(wanted, now, false));
    }

    /** Renews a current lease, even if its term has run out or the holder was thought gone: nobody else has it. */
    default Decision<Renewal> renew(Fence fence, long now) {
        if (this instanceof Held held && holds(fence)) {
            return new Decision<>(new Renewed(held.lease), new Held(held.lease, now, false));
        }
        int age = epoch().compareTo(fence.epoch());
        Reason reason = switch (this) {
            case Free _ when age >= 0 -> Reason.ENDED;
            case Held _ when age > 0 -> Reason.TAKEN;
            default -> Reason.UNKNOWN;
        };
        return new Decision<>(new Lost(reason), this);
    }

    /** Whether this is the fence of the current lease. Asks no clock: see the invariants above. */
    default boolean holds(Fence fence) {
        return this instanceof Held held && held.lease.fence().equals(fence);
    }

    /** Free if the fence was current, otherwise this row. */
    default Grant release(Fence fence) {
        return holds(fence) ? new Free(name(), epoch()) : this;
    }

    /** The holder is known to be gone. A renewal that comes after all is proof of the contrary and takes it back. */
    default Grant gone(Fence fence) {
        return this instanceof Held held && holds(fence) ? new Held(held.lease, held.countedFrom, true) : this;
    }

    /** Free if the fence was current and the lease {@linkplain Held#isOver is over}, otherwise this row. */
    default Grant expire(Fence fence, long now) {
        return this instanceof Held held && held.isOver(now) ? release(fence) : this;
    }

    /**
     * Takes a held lease over from a durable store after a restart, with a fresh full term: the holder may have renewed
     * until just before. {@link IllegalStateException} if this row knows better; an old lease must not come back to life.
     */
    default Grant adopt(Lease lease, long now) {
        boolean same = this instanceof Held held && held.lease.equals(lease);
        boolean later = this instanceof Free && lease.fence().epoch().isAfter(epoch());
        if (!lease.name().equals(name()) || !(same || later)) {
            throw new IllegalStateException("Cannot adopt " + lease + " over " + this);
        }
        return new Held(lease, now, false);
    }

    /** Takes the last epoch of a free lease over from a durable store. It never lowers the epoch. */
    default Grant remember(Epoch last) {
        return switch (this) {
            case Grant known when !last.isAfter(known.epoch()) -> known;
            case Free free -> new Free(free.name, last);
            case Held held -> throw new IllegalStateException("Cannot remember epoch " + last + " over " + held);
        };
    }
}
