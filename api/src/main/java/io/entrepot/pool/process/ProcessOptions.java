package io.entrepot.pool.process;

import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.TenantId;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * How files are processed.
 *
 * @param tenants     whose; an even share of each. One that is disabled or not there is left out as long as it is so
 * @param concurrency how many handlers run at once
 * @param worker      its name, for people
 * @param term        how long a lease lasts without renewal. Too short: a pause of this process loses files that are being
 *                    handled; too long: the files of a process that died wait so long
 * @param keep        completed files are kept until cleanup removes them
 * @param patience    how long closing waits for handlers, and then again after interrupting them. Too short: work is broken off
 *                    that was about to be done; too long: closing takes long if one hangs
 * @param ahead       files that are claimed before a handler is free for them. None: no file waits here while another
 *                    process could have it; more: no handler waits while files are claimed, which counts for tiny files
 */
public record ProcessOptions(List<TenantId> tenants, int concurrency, String worker, Duration term, boolean keep,
        Duration patience, int ahead) {
    public static final Duration DEFAULT_TERM = Duration.ofSeconds(60);
    private static final Duration SHORTEST_TERM = Duration.ofMillis(100);
    private static final Duration LONGEST_TERM = Duration.ofDays(30);
    private static final int LONGEST_WORKER = 200;
    private static final int MOST = 100_000;

    public ProcessOptions {
        tenants = List.copyOf(tenants);
        term = term.truncatedTo(ChronoUnit.MILLIS);
        if (tenants.isEmpty() || tenants.size() > ClaimOrder.MOST) {
            throw new InvalidSettingException(
                    "files of 1 to " + ClaimOrder.MOST + " tenants are processed together, not "
                            + tenants.size());
        }
        if (concurrency < 1 || concurrency > MOST || ahead < 0 || ahead > MOST) {
            throw new InvalidSettingException("1 to " + MOST + " files are handled at once, and 0 to " + MOST
                    + " claimed ahead: " + concurrency + ", " + ahead);
        }
        if (worker.isBlank() || worker.length() > LONGEST_WORKER || worker.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidSettingException("a worker has a name of 1 to " + LONGEST_WORKER
                    + " characters without control characters");
        }
        if (term.compareTo(SHORTEST_TERM) < 0 || term.compareTo(LONGEST_TERM) > 0 || patience.isNegative()) {
            throw new InvalidSettingException("a term is " + SHORTEST_TERM.toMillis() + " ms to "
                    + LONGEST_TERM.toDays() + " days, and patience is not negative: " + term + ", " + patience);
        }
    }

    public static ProcessOptions of(TenantId tenant, int concurrency) {
        return new ProcessOptions(List.of(tenant), concurrency, "process-" + ProcessHandle.current().pid(),
                DEFAULT_TERM, false, Duration.ofSeconds(30), 0);
    }

    public ProcessOptions withTenants(List<TenantId> value) {
        return new ProcessOptions(value, concurrency, worker, term, keep, patience, ahead);
    }

    public ProcessOptions withWorker(String value) {
        return new ProcessOptions(tenants, concurrency, value, term, keep, patience, ahead);
    }

    public ProcessOptions withTerm(Duration value) {
        return new ProcessOptions(tenants, concurrency, worker, value, keep, patience, ahead);
    }

    public ProcessOptions keepingCompleted() {
        return new ProcessOptions(tenants, concurrency, worker, term, true, patience, ahead);
    }

    public ProcessOptions withPatience(Duration value) {
        return new ProcessOptions(tenants, concurrency, worker, term, keep, value, ahead);
    }

    public ProcessOptions withAhead(int value) {
        return new ProcessOptions(tenants, concurrency, worker, term, keep, patience, value);
    }
}
