package io.entrepot.pool.internal;

import io.entrepot.pool.DirectoryQuotaExceededException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Whether a tenant may have one more file. Asked before the first byte is written, to refuse early; and again in the
 * transaction that makes the file, where the answer is exact. Safe for use by many threads.
 */
final class Gate {
    private final QuotaBook rules;
    private final Directories directories;
    private final Measures measures;

    Gate(QuotaBook rules, Directories directories, Measures measures) {
        this.rules = rules;
        this.directories = directories;
        this.measures = measures;
    }

    /** Whether nothing is limited there, so that nobody need be asked. */
    boolean isOpen(TenantRow tenant, LogicalDirectory directory) {
        TenantLimits limits = tenant.tenant().limits();
        return limits.files().isEmpty() && limits.bytes().isEmpty()
                && rules.ruleFor(tenant.id(), directory).isEmpty();
    }

    /** What somebody who asks has been promised already. */
    record Promised(long files, long bytes) {
        static final Promised NOTHING = new Promised(0, 0);
    }

    /** Why not, if not. */
    Optional<Supplier<PoolException>> refusal(Snapshot snapshot, TenantRow tenant, LogicalDirectory directory,
            long bytes) {
        return refusal(snapshot, tenant, directory, bytes, Promised.NOTHING);
    }

    /** The same for one who was promised something: that is counted with the uploads, and is not counted again. */
    Optional<Supplier<PoolException>> refusal(Snapshot snapshot, TenantRow tenant, LogicalDirectory directory,
            long bytes, Promised own) {
        TenantLimits limits = tenant.tenant().limits();
        if (!limits.admit(bytes)) { // before all that waiting can help against
            return tooLarge(tenant, bytes);
        }
        Optional<QuotaRule> rule = rules.ruleFor(snapshot, tenant.id(), directory);
        if (rule.isPresent()) {
            long limit = rule.get().maxFiles();
            long files = directories.find(snapshot, tenant, directory).map(number -> snapshot
                    .count(Directories.files(number)) + snapshot.count(Directories.uploads(number))).orElse(0L);
            if (files - own.files + 1 > limit) {
                return Optional.of(() -> new DirectoryQuotaExceededException(tenant.id(), directory, limit));
            }
        }
        if (limits.files().isPresent() && snapshot.count(tenant.files()) + snapshot.count(tenant.uploads()) - own.files
                + 1 > limits.files().getAsLong()) {
            return Optional.of(() -> new TenantQuotaExceededException(tenant.id(),
                    limits.files().getAsLong() + " files"));
        }
        return refusalOfBytes(snapshot, tenant, bytes, bytes - own.bytes);
    }

    /** For more bytes of what is counted as a file already, and has so many as a whole then. */
    Optional<Supplier<PoolException>> refusalOfBytes(Snapshot snapshot, TenantRow tenant, long whole, long more) {
        TenantLimits limits = tenant.tenant().limits();
        if (!limits.admit(whole)) {
            return tooLarge(tenant, whole);
        }
        OptionalLong limit = limits.bytes();
        return limit.isPresent() && snapshot.count(tenant.bytes()) + snapshot.count(tenant.uploadBytes())
                + more > limit.getAsLong()
                        ? Optional.of(() -> new TenantQuotaExceededException(tenant.id(),
                                more + " more bytes do not fit into its " + limit.getAsLong()))
                        : Optional.empty();
    }

    private static Optional<Supplier<PoolException>> tooLarge(TenantRow tenant, long bytes) {
        long limit = tenant.tenant().limits().bytes().orElseThrow();
        return Optional.of(() -> TenantQuotaExceededException.ofAFile(tenant.id(), bytes, limit));
    }

    /** Counts a file that was let in, and warns where that is one too many to say nothing. */
    void enter(Transaction tx, TenantRow tenant, long directory, LogicalDirectory path, long bytes) {
        TenantLimits limits = tenant.tenant().limits();
        long files = tx.count(tenant.files());
        long used = tx.count(tenant.bytes());
        limits.files().ifPresent(most -> warn(tx, tenant, "tenant " + tenant.id() + " files", files, files + 1, most,
                limits.warnPercent()));
        limits.bytes().ifPresent(most -> warn(tx, tenant, "tenant " + tenant.id() + " bytes", used, used + bytes, most,
                limits.warnPercent()));
        rules.ruleFor(tx, tenant.id(), path).ifPresent(rule -> {
            long there = tx.count(Directories.files(directory));
            warn(tx, tenant, "directory " + path + " files", there, there + 1, rule.maxFiles(), rule.warnPercent());
        });
        tx.add(tenant.files(), 1);
        tx.add(tenant.bytes(), bytes);
        tx.add(Directories.files(directory), 1);
    }

    void leave(Transaction tx, TenantRow tenant, long directory, long bytes) {
        tx.add(tenant.files(), -1);
        tx.add(tenant.bytes(), -bytes);
        tx.add(Directories.files(directory), -1);
    }

    private void warn(Transaction tx, TenantRow tenant, String what, long before, long after, long most,
            int percent) {
        double threshold = most * (percent / 100.0);
        if (percent > 0 && before <= threshold && after > threshold) {
            tx.publish(Owners.of(tenant.id()), "quota.warning", what,
                    new Body().with("used", after).with("limit", most).with("percent", percent).toString());
            tx.afterCommit(() -> measures.quotaWarned(tenant.id()));
        }
    }
}
