package io.entrepot.pool.internal;

import io.entrepot.lease.LeaseLostException;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileAlreadyProcessingException;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.FileStateException;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.IdempotencyConflictException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.PoolObserver;
import io.entrepot.pool.TenantId;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.ItemHeldException;
import io.entrepot.queue.ItemNotFoundException;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.QueueException;
import io.entrepot.queue.Queues;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Handing files out and taking them back. Safe for use by many threads. */
public final class WorkDesk {
    /** For what is not the file's fault: how long it waits. */
    private static final RetryPolicy PUT_OFF = new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(1),
            Integer.MAX_VALUE, true);
    private static final Duration LONGEST_PUT_OFF = Duration.ofDays(365);

    private final Parts parts;
    private final Queues queues;
    private final TenantBook tenants;
    private final Views views;
    private final Measures measures;

    public WorkDesk(Parts parts) {
        this.parts = parts;
        this.queues = parts.queues();
        this.tenants = parts.tenants();
        this.views = new Views(parts);
        this.measures = parts.measures();
    }

    public List<ClaimedFile> claim(ClaimOrder order) throws InterruptedException {
        long begun = measures.begin();
        try {
            return claimNow(order, begun);
        } catch (RuntimeException e) {
            measures.failed(PoolObserver.Step.CLAIM, begun, e);
            throw e;
        }
    }

    private List<ClaimedFile> claimNow(ClaimOrder order, long begun) throws InterruptedException {
        Map<TenantId, TenantRow> rows = new HashMap<>();
        order.tenants().forEach(tenant -> rows.put(tenant, tenants.require(tenant).requireEnabled()));
        ClaimRequest request;
        try {
            request = new ClaimRequest(rows.values().stream().map(TenantRow::queue).toList(), order.worker(),
                    order.max(), order.term().orElse(parts.config().claimTerm()), order.patience(),
                    order.idempotencyKey());
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(String.valueOf(e.getMessage()), e);
        }
        List<Claimed> claimed;
        try {
            claimed = queues.claim(request);
        } catch (io.entrepot.queue.IdempotencyConflictException e) {
            throw conflict(e);
        }
        if (claimed.isEmpty()) {
            order.tenants().forEach(tenant -> tenants.require(tenant).requireEnabled());
        }
        List<ClaimedFile> files = new ArrayList<>(claimed.size());
        for (TenantRow tenant : rows.values()) {
            List<Claimed> mine = claimed.stream()
                    .filter(one -> one.item().owner().equals(Owners.of(tenant.id()))).toList();
            if (!mine.isEmpty()) {
                files.addAll(found(tenant, mine));
            }
        }
        if (files.isEmpty() && !claimed.isEmpty() && !claimed.getFirst().repeated()) {
            return claimNow(order, begun); // all of it has gone meanwhile, and others may wait
        }
        if (!files.isEmpty()) { // the time of one that found nothing is that of its patience
            measures.took(PoolObserver.Step.CLAIM, begun);
        }
        if (!files.isEmpty() && !claimed.getFirst().repeated()) {
            files.stream().collect(Collectors.groupingBy(one -> one.lease().tenant(), Collectors.counting()))
                    .forEach((tenant, n) -> measures.files(PoolObserver.Fate.CLAIMED, tenant, n, 0));
        }
        return files;
    }

    /** The queue's words are those for queues and holders. */
    private static IdempotencyConflictException conflict(io.entrepot.queue.IdempotencyConflictException e) {
        return new IdempotencyConflictException(
                "the idempotency key was used for another claim, with other tenants or files,"
                        + " another worker, maximum or term, or all that this claim got has been ended; use a new key for each claim",
                e);
    }

    /** In the order in which they were claimed. */
    private List<ClaimedFile> found(TenantRow tenant, List<Claimed> claimed) {
        List<FileRow.Which> which = claimed.stream()
                .map(one -> new FileRow.Which(tenant.number(), one.item().number())).toList();
        Map<Long, FileInfo> infos = new HashMap<>();
        tenants.store(tenant.id()).read(snapshot -> views.of(snapshot, tenant, FileRow.find(snapshot, which)))
                .forEach(file -> infos.put(file.key().number(), file));
        List<ClaimedFile> files = new ArrayList<>(claimed.size());
        for (Claimed one : claimed) {
            FileInfo file = infos.get(one.item().number());
            if (file != null) { // an operator may have deleted it since
                files.add(new ClaimedFile(file, new FileLease(tenant.id(), file.key(), one.lease().fence()),
                        one.term()));
            }
        }
        return files;
    }

    public ClaimedFile claim(TenantId id, FileKey key, String worker, Duration term,
            Optional<String> idempotencyKey) {
        TenantRow tenant = tenants.require(id).requireEnabled();
        FileInfo file = views.require(tenant, key);
        if (file.status() == FileStatus.HELD) {
            throw new FileStateException(id, key, "it was rebuilt and is held; release it first");
        }
        try {
            Claimed claimed = queues.claim(Views.item(id, key), worker, term, idempotencyKey);
            measures.files(PoolObserver.Fate.CLAIMED, id, claimed.repeated() ? 0 : 1, 0);
            return found(tenant, List.of(claimed)).stream().findFirst()
                    .orElseThrow(() -> new FileNotFoundException(id, key.toString()));
        } catch (ItemHeldException e) {
            throw new FileAlreadyProcessingException(id, key, file.worker().map(who -> " by " + who).orElse(""));
        } catch (ItemNotFoundException e) {
            throw new FileNotFoundException(id, key.toString());
        } catch (io.entrepot.queue.IdempotencyConflictException e) {
            throw conflict(e);
        } catch (QueueException e) {
            throw new FileStateException(id, key, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(String.valueOf(e.getMessage()), e);
        }
    }

    public void renew(FileLease lease) {
        tenants.require(lease.tenant()).requireNotDisabled();
        try {
            queues.renew(Owners.lease(lease));
        } catch (LeaseLostException e) {
            throw new FileLeaseLostException(lease);
        }
    }

    public FileOutcome complete(FileLease lease) {
        return measured(PoolObserver.Step.COMPLETE, lease, () -> completeNow(lease));
    }

    private FileOutcome measured(PoolObserver.Step step, FileLease lease, Supplier<FileOutcome> call) {
        long begun = measures.begin();
        try {
            FileOutcome outcome = call.get();
            measures.took(step, begun);
            measures.ended(outcome, lease.tenant());
            return outcome;
        } catch (RuntimeException e) {
            measures.failed(step, begun, e);
            throw e;
        }
    }

    private FileOutcome completeNow(FileLease lease) {
        tenants.require(lease.tenant()).requireNotDisabled();
        FinishOperation.Verdict verdict = store(lease).write(Owners.of(lease.tenant()), parts.finish(), lease);
        parts.keepers().nudgeAll();
        return switch (verdict) {
            case FinishOperation.Verdict.Ended(Outcome outcome) -> outcome(outcome);
            case FinishOperation.Verdict.LeaseLost() -> throw new FileLeaseLostException(lease);
            case FinishOperation.Verdict.Refused(var why) -> throw why.get();
        };
    }

    public List<Optional<FileOutcome>> completeAll(List<FileLease> leases) {
        if (leases.isEmpty()) {
            return List.of();
        }
        long begun = measures.begin();
        TenantId tenant = leases.getFirst().tenant();
        if (leases.size() > ClaimRequest.MOST || leases.stream().anyMatch(lease -> !lease.tenant().equals(tenant))) {
            throw new InvalidSettingException("at most " + ClaimRequest.MOST
                    + " files are completed together, all of one tenant");
        }
        List<FinishOperation.Verdict> verdicts = store(leases.getFirst()).write(Owners.of(tenant),
                tx -> parts.finish().run(tx, leases));
        parts.keepers().nudgeAll();
        List<Optional<FileOutcome>> outcomes = new ArrayList<>(leases.size());
        for (FinishOperation.Verdict verdict : verdicts) {
            outcomes.add(switch (verdict) {
                case FinishOperation.Verdict.Ended(Outcome outcome) -> Optional.of(outcome(outcome));
                case FinishOperation.Verdict.LeaseLost() -> Optional.empty();
                case FinishOperation.Verdict.Refused(var why) -> throw why.get();
            });
            outcomes.getLast().ifPresent(outcome -> measures.ended(outcome, tenant));
        }
        measures.took(PoolObserver.Step.COMPLETE, begun);
        return outcomes;
    }

    public FileOutcome keep(FileLease lease) {
        return measured(PoolObserver.Step.COMPLETE, lease,
                () -> end(lease, new Ending.Finish(true), "file.completed", "{\"kept\":true}"));
    }

    public FileOutcome fail(FileLease lease, String error, boolean retryable) {
        RetryPolicy policy = tenants.require(lease.tenant()).tenant().retry().orElse(parts.config().retry());
        return measured(PoolObserver.Step.FAIL, lease, () -> end(lease, new Ending.Fail(error, retryable, policy),
                "file.failed", new Body().with("error", error).toString()));
    }

    public FileOutcome putOff(FileLease lease, String why, Optional<Duration> wanted) {
        if (wanted.filter(delay -> delay.isNegative() || delay.compareTo(LONGEST_PUT_OFF) > 0).isPresent()) {
            throw new InvalidSettingException("a file is put off by up to " + LONGEST_PUT_OFF.toDays() + " days, not "
                    + wanted.get());
        }
        Duration delay = wanted.orElseGet(() -> PUT_OFF.delay(1 + timesPutOff(lease)));
        return measured(PoolObserver.Step.FAIL, lease, () -> end(lease, new Ending.PutOff(why, delay),
                "file.put-off", new Body().with("why", why).toString()));
    }

    /** In a row, as far as its history goes back. */
    private int timesPutOff(FileLease lease) {
        List<String> ends = queues.history(Owners.lease(lease).item()).reversed().stream().map(HistoryStep::what)
                .filter(what -> !what.equals("claimed")).toList();
        return (int) ends.stream().takeWhile("put-off"::equals).count();
    }

    public FileOutcome release(FileLease lease) {
        FileOutcome outcome = end(lease, new Ending.Release(), "file.given-back", "{}");
        measures.ended(outcome, lease.tenant());
        return outcome;
    }

    private FileOutcome end(FileLease lease, Ending ending, String event, String body) {
        try {
            return store(lease).write(Owners.of(lease.tenant()), tx -> {
                tenants.require(tx, lease.tenant()).requireNotDisabled();
                Outcome outcome = queues.end(tx, Owners.lease(lease), ending);
                if (!outcome.repeated()) {
                    boolean dead = outcome.kind() == Outcome.Kind.DEAD;
                    tx.publish(Owners.of(lease.tenant()), dead ? "file.failed-permanently" : event,
                            lease.key().toString(), body);
                }
                return outcome(outcome);
            });
        } catch (LeaseLostException e) {
            throw new FileLeaseLostException(lease);
        }
    }

    private Store store(FileLease lease) {
        return tenants.store(lease.tenant());
    }

    private static FileOutcome outcome(Outcome outcome) {
        return new FileOutcome(switch (outcome.kind()) {
            case FINISHED -> FileOutcome.Kind.COMPLETED;
            case KEPT -> FileOutcome.Kind.KEPT;
            case RETRYING -> FileOutcome.Kind.RETRYING;
            case DEAD -> FileOutcome.Kind.PERMANENTLY_FAILED;
            case RELEASED -> FileOutcome.Kind.RELEASED;
            case PUT_OFF -> FileOutcome.Kind.PUT_OFF;
            default -> throw new IllegalStateException("no holder ends a lease as " + outcome.kind());
        }, outcome.at(), outcome.repeated());
    }

    public void reset(TenantId id, FileKey key) {
        TenantRow tenant = tenants.require(id).requireNotDisabled();
        tenants.store(id).write(Owners.of(id), tx -> {
            FileRow file = FileRow.find(tx, tenant.number(), key)
                    .orElseThrow(() -> new FileNotFoundException(id, key.toString()));
            if (file.held()) {
                throw new FileStateException(id, key, "it was rebuilt and is held; release it first");
            }
            queues.reset(tx, Views.item(id, key));
            tx.publish(Owners.of(id), "file.reset", key.toString(), "{}");
            return true;
        });
    }

    public boolean retryNow(TenantId id, FileKey key) {
        views.require(tenants.require(id).requireNotDisabled(), key);
        return queues.retryNow(Views.item(id, key));
    }

    public long retryAllFailed(TenantId id) {
        return queues.retryDead(tenants.require(id).requireNotDisabled().queue());
    }

    public FileStatus status(TenantId id, FileKey key) {
        return views.require(tenants.require(id).requireNotDisabled(), key).status();
    }
}
