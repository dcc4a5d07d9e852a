package io.entrepot.chaos.history;

import java.util.Comparator;
import java.util.Iterator;

/** No epoch of an item is handed out twice, and of two claims whose order is known the later has the greater one. */
final class EpochsGrow implements ItemRule {

    @Override
    public void check(ItemStory story, Findings findings) {
        Iterator<ItemStory.Claimed> descending = story.claims.stream()
                .sorted(Comparator.comparingLong(ItemStory.Claimed::epoch).reversed())
                .iterator();
        if (!descending.hasNext()) {
            return;
        }
        ItemStory.Claimed greater = descending.next();
        // INVARIANT: of the claims seen so far, all with greater or equal epochs, this is the one that ended first.
        ItemStory.Claimed earliest = greater;
        while (descending.hasNext()) {
            ItemStory.Claimed claim = descending.next();
            compare(story.item, claim, greater, earliest, findings);
            earliest = claim.operation().end() < earliest.operation().end() ? claim : earliest;
            greater = claim;
        }
    }

    private static void compare(String item, ItemStory.Claimed claim, ItemStory.Claimed greater,
            ItemStory.Claimed earliest, Findings findings) {
        findings.check(claim.epoch() != greater.epoch(), Rule.EPOCHS_GROW, item,
                () -> "was handed out twice with epoch " + claim.epoch(), greater.operation(), claim.operation());
        findings.check(!earliest.operation().isBefore(claim.operation()), Rule.EPOCHS_GROW, item,
                () -> "was handed out with epoch " + claim.epoch() + " after " + earliest.epoch(), earliest.operation(),
                claim.operation());
    }
}
