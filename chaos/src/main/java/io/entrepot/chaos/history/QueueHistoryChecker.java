package io.entrepot.chaos.history;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Says whether a history can be one of a queue that keeps its promises.
 *
 * <p>It looks for contradictions item by item instead of searching for an order that explains everything, which would take
 * for ever on a hundred thousand operations. What it relies on:
 * <ul>
 * <li>An operation took effect within its interval. Only if one ended before the other began is their order known; where
 * intervals overlap, every order is allowed.
 * <li>An operation without a known answer took effect at some time after its beginning, or never.
 * <li>Epochs order the leases of an item, whatever the clock says. So if a finish was accepted under an epoch, a claim with
 * a greater one is a contradiction without any clock: before the finish it would have fenced it off, after it the item
 * was gone.
 * </ul>
 *
 * <p>So it never accuses a correct queue, and finds every contradiction that acknowledged calls show. No state, so safe
 * for use by many threads.
 */
public final class QueueHistoryChecker {

    private static final List<ItemRule> ALWAYS = List.of(new EpochsGrow(), new OneHolder(), new OneOutcome(),
            new FinishedStaysFinished(), new NothingFromNowhere());
    private static final List<ItemRule> AT_THE_END = List.of(new NothingLost());

    private QueueHistoryChecker() {}

    /** While it is still going on: what can be said without knowing what is in the queue. */
    public static Verdict check(List<Operation> operations) {
        return check(operations, List.of(), ALWAYS);
    }

    /** When all is over, with everything that is in the queue. */
    public static Verdict check(List<Operation> operations, List<FinalItem> atTheEnd) {
        return check(operations, atTheEnd, Stream.concat(ALWAYS.stream(), AT_THE_END.stream()).toList());
    }

    private static Verdict check(List<Operation> operations, List<FinalItem> atTheEnd, List<ItemRule> rules) {
        Findings findings = new Findings();
        Map<String, ItemStory> stories = new TreeMap<>(ItemStory.all(operations, atTheEnd));
        for (ItemStory story : stories.values()) {
            rules.forEach(rule -> rule.check(story, findings));
        }
        OneIdentity.check(operations, findings);
        return findings.verdict();
    }
}
