package io.entrepot.chaos.history;

import java.util.Optional;

/**
 * The fence. A step that was accepted names a lease that was handed out, and began before anybody knew of a newer lease on
 * the item. The exception is a repeated call that is told the outcome of its own lease: that may come at any time.
 */
final class OneHolder implements ItemRule {

    @Override
    public void check(ItemStory story, Findings findings) {
        for (ItemStory.Stepped step : story.steps) {
            if (accepted(step.operation().answer())) {
                check(story, step, findings);
            }
        }
    }

    private static boolean accepted(Answer answer) {
        return answer instanceof Answer.Ended || answer instanceof Answer.Renewed;
    }

    private static void check(ItemStory story, ItemStory.Stepped step, Findings findings) {
        boolean handedOut = story.claims.stream()
                .anyMatch(claim -> claim.grant().equals(step.lease()) && !step.operation().isBefore(claim.operation()));
        findings.check(handedOut, Rule.ONE_HOLDER, story.item,
                () -> "took a step under a lease that was not handed out: "
                        + step.lease(),
                step.operation());
        if (step.ended().map(Answer.Ended::repeated).orElse(false)) {
            return;
        }
        Optional<ItemStory.Claimed> newer = story.claimsAfter(step.lease().epoch()).stream()
                .filter(claim -> claim.operation().isBefore(step.operation()))
                .findFirst();
        findings.check(newer.isEmpty(), Rule.ONE_HOLDER, story.item,
                () -> "took a step under epoch " + step.lease().epoch() + " after it had been handed to somebody else",
                newer.map(claim -> new Operation[]{claim.operation(), step.operation()})
                        .orElse(new Operation[0]));
    }
}
