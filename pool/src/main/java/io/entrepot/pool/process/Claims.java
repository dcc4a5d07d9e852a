package io.entrepot.pool.process;

import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.Tenants;
import io.entrepot.pool.WorkQueue;
import io.entrepot.queue.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks for files, of those tenants that may be handed some now: one that may not does not keep the others waiting. */
final class Claims {
    /** After that it is looked again which tenants there are. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final ProcessOptions options;
    private final WorkQueue work;
    private final Tenants tenants;
    private final Duration wait;

    Claims(ProcessOptions options, WorkQueue work, Tenants tenants) {
        this.options = options;
        this.work = work;
        this.tenants = tenants;
        // The term counts from before the claim, so little of it may be spent on waiting.
        Duration part = options.term().dividedBy(8);
        this.wait = part.compareTo(LONGEST_WAIT) < 0 ? part : LONGEST_WAIT;
    }

    /** @throws PoolUnavailableException if none of the tenants may be handed files */
    List<ClaimedFile> next(int most, boolean waiting) throws InterruptedException {
        List<TenantId> open = options.tenants().stream().filter(this::isOpen).toList();
        if (open.isEmpty()) {
            throw new PoolUnavailableException("none of the tenants " + options.tenants()
                    + " may be handed files: each is disabled, suspended or not there");
        }
        return work.claim(new ClaimOrder(open, options.worker(), Math.min(most, ClaimRequest.MOST),
                Optional.of(options.term()), waiting ? wait : Duration.ZERO));
    }

    private boolean isOpen(TenantId tenant) {
        return tenants.find(tenant).map(Tenant::status).filter(status -> status == TenantStatus.ENABLED).isPresent();
    }
}
