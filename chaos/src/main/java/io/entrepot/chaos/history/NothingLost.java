package io.entrepot.chaos.history;

/**
 * What was acknowledged is there at the end, or a finish or a removal explains why not. A finish with an unknown answer explains it too,
 * but only one that can have been the last word: under the item's last lease, which did not end otherwise.
 */
final class NothingLost implements ItemRule {

    @Override
    public void check(ItemStory story, Findings findings) {
        boolean acknowledged = story.puts.stream().anyMatch(put -> put.answer() instanceof Answer.Stored);
        boolean waiting = story.atTheEnd.stream().anyMatch(last -> !last.finished());
        boolean kept = story.atTheEnd.stream().anyMatch(FinalItem::finished);
        if (acknowledged && !waiting) {
            boolean removed = !kept
                    && story.removals.stream().anyMatch(removal -> !(removal.answer() instanceof Answer.Refused));
            findings.check(removed || story.steps.stream().anyMatch(step -> mayHaveFinished(story, step)),
                    Rule.NOTHING_LOST, story.item,
                    () -> kept ? "is there as finished, and nobody finished it" : "is lost",
                    story.puts.toArray(Operation[]::new));
        }
    }

    private static boolean mayHaveFinished(ItemStory story, ItemStory.Stepped step) {
        if (step.finished()) {
            return true;
        }
        return step.kind() == Call.Step.Kind.FINISH && step.operation().isUnknown()
                && story.claimsAfter(step.lease().epoch()).isEmpty()
                && story.steps.stream().noneMatch(other -> other.lease().equals(step.lease())
                        && other.ended().isPresent());
    }
}
