package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.TenantId;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The rules for logical directories. They are in the main database; what is in memory is replaced at every change, and where
 * other processes may change them it is believed for a second. Safe for use by many threads.
 */
public final class QuotaBook {
    private static final long BELIEVED = Duration.ofSeconds(1).toNanos();
    private static final int MOST_REMEMBERED = 10_000;

    private final Store main;
    private final Ticker ticker;
    private volatile Rules rules;
    private volatile Runnable onChange = () -> {};

    private record Rule(QuotaRule rule, Pattern pattern) {}

    private record Rules(List<Rule> all, long at, Map<String, Optional<QuotaRule>> decided) {}

    public QuotaBook(Store main, Ticker ticker) {
        this.main = main;
        this.ticker = ticker;
        this.rules = load();
    }

    public List<QuotaRule> all() {
        return current().all.stream().map(Rule::rule).toList();
    }

    /** The rule that holds for a directory: its own, or else that of the nearest directory above that is inherited. */
    public Optional<QuotaRule> ruleFor(TenantId tenant, LogicalDirectory directory) {
        return ruleFor(current(), tenant, directory);
    }

    /** The same from within a transaction or a reading, which may not ask the store again. */
    Optional<QuotaRule> ruleFor(Snapshot snapshot, TenantId tenant, LogicalDirectory directory) {
        if (isOld(rules)) {
            rules = load(snapshot); // where rules grow old there is one store for all
        }
        return ruleFor(rules, tenant, directory);
    }

    private static Optional<QuotaRule> ruleFor(Rules now, TenantId tenant, LogicalDirectory directory) {
        if (now.all.isEmpty()) {
            return Optional.empty();
        }
        if (now.decided.size() > MOST_REMEMBERED) {
            now.decided.clear();
        }
        return now.decided.computeIfAbsent(QuotaRule.subject(tenant, directory), subject -> {
            Optional<QuotaRule> own = match(now, subject, false);
            for (Optional<LogicalDirectory> above = directory.parent(); own.isEmpty()
                    && above.isPresent(); above = above
                            .get().parent()) {
                own = match(now, QuotaRule.subject(tenant, above.get()), true);
            }
            return own;
        });
    }

    private static Optional<QuotaRule> match(Rules rules, String subject, boolean fromBelow) {
        return rules.all.stream().filter(rule -> rule.rule.enabled() && (!fromBelow || rule.rule.inherited()))
                .filter(rule -> rule.pattern.matcher(subject).matches()).map(Rule::rule)
                .max(Comparator.comparingInt(QuotaRule::literals));
    }

    public void set(QuotaRule rule) {
        write("quota.set", rule.pattern(), tx -> insert(tx, rule));
    }

    static int insert(Transaction tx, QuotaRule rule) {
        return tx.update(
                "INSERT INTO quota (pattern, max_files, warn_percent, inherited, enabled, created) VALUES (?, ?, ?, ?, ?, ?)"
                        + " ON CONFLICT (pattern) DO UPDATE SET max_files = excluded.max_files,"
                        + " warn_percent = excluded.warn_percent, inherited = excluded.inherited,"
                        + " enabled = excluded.enabled",
                rule.pattern(), rule.maxFiles(), rule.warnPercent(), rule.inherited() ? 1 : 0, rule.enabled() ? 1 : 0,
                tx.now());
    }

    public boolean remove(String pattern) {
        return write("quota.removed", pattern, tx -> tx.update("DELETE FROM quota WHERE pattern = ?", pattern)) > 0;
    }

    /** One at a time, so that what was read before a change does not replace what was read after it. */
    private synchronized int write(String event, String pattern, io.entrepot.store.Work<Integer> work) {
        int changed = main.write(Owner.SYSTEM, tx -> {
            int rows = work.run(tx);
            if (rows > 0) {
                tx.publish(Owner.SYSTEM, event, pattern, "{}");
            }
            return rows;
        });
        rules = load();
        onChange.run();
        return changed;
    }

    private boolean isOld(Rules some) {
        return main.shared() && ticker.nanos() - some.at > BELIEVED;
    }

    /** From now on this is called after every change. */
    void onChange(Runnable listener) {
        onChange = listener;
    }

    private Rules current() {
        if (isOld(rules)) {
            rules = load();
        }
        return rules;
    }

    private Rules load() {
        return main.read(this::load);
    }

    private Rules load(Snapshot snapshot) {
        long now = ticker.nanos();
        return new Rules(snapshot.query(
                "SELECT pattern, max_files, warn_percent, inherited, enabled FROM quota ORDER BY created, pattern",
                row -> {
                    QuotaRule rule = new QuotaRule(row.getString(1), row.getLong(2), row.getInt(3),
                            row.getLong(4) != 0, row.getLong(5) != 0);
                    return new Rule(rule, rule.compiled());
                }), now, new ConcurrentHashMap<>());
    }
}
