package io.entrepot.client;

import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.IdempotencyConflictException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.RequestRefusedException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UnknownOutcomeException;
import io.entrepot.pool.WorkQueue;
import io.entrepot.store.Advice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Work behind a server. Steps with a lease may be sent again: the first outcome counts, and a repeated call gets it back. A
 * claim too: each has a key, and a repeated one gets the same files. Safe for use by many threads.
 */
final class RemoteWork implements WorkQueue {
    private static final String KEY = "Idempotency-Key";

    private final Transport transport;
    private final Wire wire;
    private final LostClaims lost = new LostClaims();

    RemoteWork(Transport transport, Wire wire) {
        this.transport = transport;
        this.wire = wire;
    }

    /** The server waits for a while, and is asked again until the patience is at its end. */
    @Override
    public List<ClaimedFile> claim(ClaimOrder order) throws InterruptedException {
        if (order.patience().isZero()) {
            return claimOnce(order); // it does not wait, so nothing is cut short
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before files were claimed");
        }
        long end = System.nanoTime() + order.patience().toNanos();
        Duration left = order.patience();
        while (true) {
            ClaimOrder now = order.waiting(left);
            List<ClaimedFile> files = new WaitingClaim(() -> claimOnce(now), left, this::release,
                    transport.config().threads()).await();
            left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            if (!files.isEmpty() || left.isZero()) {
                return files;
            }
        }
    }

    private List<ClaimedFile> claimOnce(ClaimOrder order) {
        if (order.idempotencyKey().isPresent()) {
            return ask(order, order.idempotencyKey().get());
        }
        String key = lost.take(order).orElseGet(RemoteWork::freshKey);
        while (true) {
            try {
                return ask(order, key);
            } catch (IdempotencyConflictException e) {
                key = freshKey(); // what an attempt got whose answer was lost is over
            } catch (UnknownOutcomeException e) {
                lost.add(key, order);
                throw e;
            }
        }
    }

    /** It begins with the time: keys of one moment are neighbours in the server's table, which it is spared pages by. */
    private static String freshKey() {
        return Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-" + UUID.randomUUID();
    }

    private List<ClaimedFile> ask(ClaimOrder order, String key) {
        Json ask = Json.object().with("max", order.max()).with("worker", order.worker()).with("lease", order.term());
        if (!order.patience().isZero()) {
            ask = ask.with("wait", order.patience());
        }
        boolean one = order.tenants().size() == 1;
        Ask claim = one
                ? Ask.post(tenant(order.tenants().get(0), "claims")).with(ask)
                : Ask.post(Ask.path("claims")).with(ask.with("tenants", order.tenants()));
        try {
            return transport.sendCalmly(claim.with(KEY, key).repeatedly().patient(order.patience())).json()
                    .get("files").list().stream().map(wire::claimed).toList();
        } catch (RequestRefusedException e) {
            throw setting(e);
        }
    }

    @Override
    public ClaimedFile claim(TenantId tenant, FileKey key, String worker, Duration term,
            Optional<String> idempotencyKey) {
        Json ask = Json.object().with("worker", worker).with("lease", term);
        try {
            return wire.claimed(transport.sendCalmly(Ask.post(file(tenant, key, "claim")).with(ask)
                    .with(KEY, idempotencyKey.orElseGet(RemoteWork::freshKey)).repeatedly()).json());
        } catch (RequestRefusedException e) {
            throw setting(e);
        }
    }

    /** A claim that makes no sense is one thing to the library, wherever it was noticed. */
    private static PoolException setting(RequestRefusedException e) {
        return e.code().equals("http.invalid-value")
                ? new InvalidSettingException(String.valueOf(e.getMessage()), e)
                : e;
    }

    @Override
    public void renew(FileLease lease) {
        result(step(lease, "renew", Json.object()));
    }

    @Override
    public FileOutcome complete(FileLease lease) {
        return outcome(result(step(lease, "complete", Json.object())));
    }

    @Override
    public FileOutcome completeAndKeep(FileLease lease) {
        return outcome(result(step(lease, "complete", Json.object().with("keep", true))));
    }

    @Override
    public List<Optional<FileOutcome>> completeAll(List<FileLease> leases) {
        if (leases.isEmpty()) {
            return List.of();
        }
        TenantId tenant = leases.get(0).tenant();
        if (leases.size() > ClaimOrder.MOST || leases.stream().anyMatch(lease -> !lease.tenant().equals(tenant))) {
            throw new InvalidSettingException("at most " + ClaimOrder.MOST
                    + " files are completed together, all of one tenant");
        }
        List<Optional<FileOutcome>> outcomes = new ArrayList<>();
        for (Json result : steps(tenant, leases, "complete", Json.object())) {
            Json problem = result.get("problem");
            if (problem.isMissing()) {
                outcomes.add(Optional.of(outcome(result)));
            } else if (problem.get("code").find().filter("pool.lease-lost"::equals).isPresent()) {
                outcomes.add(Optional.empty());
            } else {
                throw told(problem);
            }
        }
        return outcomes;
    }

    @Override
    public FileOutcome fail(FileLease lease, String error) {
        return outcome(result(step(lease, "fail", Json.object().with("error", error))));
    }

    @Override
    public FileOutcome failForGood(FileLease lease, String error) {
        return outcome(result(step(lease, "fail", Json.object().with("error", error).with("retryable", false))));
    }

    @Override
    public FileOutcome putOff(FileLease lease, String why) {
        return outcome(result(step(lease, "fail", Json.object().with("error", why).with("putOff", true))));
    }

    @Override
    public FileOutcome putOff(FileLease lease, String why, Duration delay) {
        return outcome(result(step(lease, "fail", Json.object().with("error", why).with("putOff", true)
                .with("delay", delay))));
    }

    @Override
    public FileOutcome release(FileLease lease) {
        return outcome(result(step(lease, "release", Json.object())));
    }

    @Override
    public void reset(TenantId tenant, FileKey key) {
        transport.sendCalmly(Ask.post(file(tenant, key, "reset")));
    }

    @Override
    public boolean retryNow(TenantId tenant, FileKey key) {
        return transport.sendCalmly(Ask.post(file(tenant, key, "retry"))).json().get("changed").truth();
    }

    @Override
    public long retryAllFailed(TenantId tenant) {
        return transport.sendCalmly(Ask.post(tenant(tenant, "retry-failed"))).json().get("count").whole();
    }

    @Override
    public FileStatus status(TenantId tenant, FileKey key) {
        return wire.file(transport.sendCalmly(Ask.get(file(tenant, key))).json()).status();
    }

    private Json step(FileLease lease, String step, Json more) {
        return steps(lease.tenant(), List.of(lease), step, more).get(0);
    }

    private List<Json> steps(TenantId tenant, List<FileLease> leases, String step, Json more) {
        List<Json> results = transport.sendCalmly(Ask.post(tenant(tenant, "leases", step)).repeatedly()
                .with(more.with("leases", leases))).json().get("results").list();
        if (results.size() != leases.size()) {
            throw new IllegalArgumentException("the server gave " + results.size() + " results for " + leases.size()
                    + " leases");
        }
        return results;
    }

    private static Json result(Json result) {
        Json problem = result.get("problem");
        if (!problem.isMissing()) {
            throw told(problem);
        }
        return result;
    }

    private static PoolException told(Json problem) {
        return PoolException.told(problem.get("code").text(), Words.find(Advice.class, problem.get("advice").text())
                .orElse(Advice.GIVE_UP), problem.get("detail").text(), 0);
    }

    private static FileOutcome outcome(Json result) {
        return new FileOutcome(Words.parse(FileOutcome.Kind.class, result.get("result").text()), Wire.at(result, "at"),
                result.get("repeated").truth());
    }

    private static String tenant(TenantId tenant, String... more) {
        return path(List.of("tenants", tenant.name()), more);
    }

    private static String file(TenantId tenant, FileKey key, String... more) {
        return path(List.of("tenants", tenant.name(), "files", key.toString()), more);
    }

    private static String path(List<String> parts, String... more) {
        List<String> all = new ArrayList<>(parts);
        all.addAll(List.of(more));
        return Ask.path(all.toArray(new String[0]));
    }
}
