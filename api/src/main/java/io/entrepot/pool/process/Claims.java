package io.entrepot.pool.process;

import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Asks for files, of those tenants that may be handed some now: one that may not does not keep the others waiting. */
final class Claims {
    /** After that it is looked again which tenants there are. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final ProcessOptions options;
    private final WorkQueue work;
    private final UnaryOperator<List<TenantId>> open;
    private final Duration wait;

    /** @param open those of some tenants that may be handed files now */
    Claims(ProcessOptions options, WorkQueue work, UnaryOperator<List<TenantId>> open) {
        this.options = options;
        this.work = work;
        this.open = open;
        // The term counts from before the claim, so little of it may be spent on waiting.
        Duration part = options.term().dividedBy(8);
        this.wait = part.compareTo(LONGEST_WAIT) < 0 ? part : LONGEST_WAIT;
    }

    /** @throws PoolUnavailableException if none of the tenants may be handed files */
    List<ClaimedFile> next(int most, boolean waiting) throws InterruptedException {
        List<TenantId> now = open.apply(options.tenants());
        if (now.isEmpty()) {
            throw new PoolUnavailableException("none of the tenants " + options.tenants()
                    + " may be handed files: each is disabled, suspended or not there");
        }
        return work.claim(new ClaimOrder(now, options.worker(), Math.min(most, ClaimOrder.MOST),
                Optional.of(options.term()), waiting ? wait : Duration.ZERO));
    }
}
