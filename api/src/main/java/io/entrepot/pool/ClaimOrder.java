package io.entrepot.pool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A worker's wish for files.
 *
 * @param tenants  whose; an even share of each, so that a full queue does not hide the others
 * @param worker   its name, for people
 * @param max      how many at most
 * @param term     how long the lease lasts without renewal; the pool's if empty
 * @param patience how long to wait for something to arrive; zero answers at once
 * @param idempotencyKey makes it one claim, however often it is made: a repeated one gets the same leases with their whole
 * term, as far as they still run, and no other files. Known as long as one of them runs, and for about an hour after the claim.
 * Of each tenant; only patience may differ from call to call. Behind a server every claim has one, so that it is repeated
 * safely if its answer is lost
 */
public record ClaimOrder(List<TenantId> tenants, String worker, int max, Optional<Duration> term, Duration patience,
        Optional<String> idempotencyKey) {
    /** Neither more files nor more tenants at once. */
    public static final int MOST = 1000;

    public ClaimOrder {
        tenants = List.copyOf(tenants);
        if (max < 1 || max > MOST) {
            throw new InvalidSettingException("a claim is for 1 to " + MOST + " files, not " + max);
        }
    }

    public ClaimOrder(List<TenantId> tenants, String worker, int max, Optional<Duration> term, Duration patience) {
        this(tenants, worker, max, term, patience, Optional.empty());
    }

    /** One file, at once or not at all. */
    public static ClaimOrder of(TenantId tenant, String worker) {
        return new ClaimOrder(List.of(tenant), worker, 1, Optional.empty(), Duration.ZERO);
    }

    public ClaimOrder withMax(int value) {
        return new ClaimOrder(tenants, worker, value, term, patience, idempotencyKey);
    }

    public ClaimOrder withTerm(Duration value) {
        return new ClaimOrder(tenants, worker, max, Optional.of(value), patience, idempotencyKey);
    }

    public ClaimOrder waiting(Duration value) {
        return new ClaimOrder(tenants, worker, max, term, value, idempotencyKey);
    }

    public ClaimOrder withIdempotencyKey(String value) {
        return new ClaimOrder(tenants, worker, max, term, patience, Optional.of(value));
    }
}
