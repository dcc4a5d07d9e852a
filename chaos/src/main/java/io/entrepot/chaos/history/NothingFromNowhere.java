package io.entrepot.chaos.history;

import java.util.List;

/** What is handed out, or there at the end, was put by a call that can have had an effect by then; and it is there once. */
final class NothingFromNowhere implements ItemRule {

    @Override
    public void check(ItemStory story, Findings findings) {
        List<Operation> puts = story.puts.stream().filter(put -> !(put.answer() instanceof Answer.Refused)).toList();
        for (ItemStory.Claimed claim : story.claims) {
            findings.check(puts.stream().anyMatch(put -> !claim.operation().isBefore(put)), Rule.NOTHING_FROM_NOWHERE,
                    story.item, () -> "was handed out and never put", claim.operation());
        }
        if (!story.atTheEnd.isEmpty()) {
            findings.check(!puts.isEmpty(), Rule.NOTHING_FROM_NOWHERE, story.item, () -> "is there and was never put");
            findings.check(story.atTheEnd.size() == 1, Rule.NOTHING_FROM_NOWHERE, story.item,
                    () -> "is there " + story.atTheEnd.size() + " times", story.puts.toArray(Operation[]::new));
        }
    }
}
