package io.entrepot.store;

import io.entrepot.lease.Fence;
import io.entrepot.lease.Lease;
import io.entrepot.lease.Protection;
import io.entrepot.lease.Renewal;
import io.entrepot.lease.Verdict;
import java.time.Duration;
import java.util.Optional;

/**
 * Named leases whose epochs are durable: who leads a group or a view, who hosts it. The rules are those of
 * {@link io.entrepot.lease.Grant}; here they are decided inside the store's transactions.
 *
 * <p>Ends of terms are not written down: a renewal costs no sync, and after a restart every held lease has a fresh full
 * term. Safe for use by many threads.
 */
public interface Leases {

    /** Durable when it returns. */
    Verdict request(String name, String holder, Duration term, Protection protection);

    Renewal renew(String name, Fence fence);

    /** Durable when it returns. Says whether the fence was current. */
    boolean release(String name, Fence fence);

    /** The holder is known to be gone: a fenced lease may be granted anew at once. Says whether the fence is current. */
    boolean gone(String name, Fence fence);

    Optional<Lease> current(String name);

    /**
     * The fence check, for every step that depends on a lease: in the same transaction as the step itself.
     *
     * @throws io.entrepot.lease.LeaseLostException if the fence is not the current one
     */
    void require(Transaction tx, String name, Fence fence);
}
