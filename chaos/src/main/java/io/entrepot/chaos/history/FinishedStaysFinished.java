package io.entrepot.chaos.history;

/**
 * What was finished under an epoch has no greater one, is not handed out afterwards, and is not waiting at the end. What was
 * removed is not handed out afterwards, ends no lease afterwards, and is not there.
 */
final class FinishedStaysFinished implements ItemRule {

    @Override
    public void check(ItemStory story, Findings findings) {
        for (ItemStory.Stepped step : story.steps) {
            step.ended().map(Answer.Ended::ending).filter(Ending::isFinish).ifPresent(
                    ending -> check(story, step, ending, findings));
        }
        for (Operation removal : story.removals) {
            if (removal.answer() instanceof Answer.Removed) {
                checkRemoved(story, removal, findings);
            }
        }
    }

    private static void checkRemoved(ItemStory story, Operation removal, Findings findings) {
        findings.check(story.atTheEnd.isEmpty(), Rule.FINISHED_STAYS_FINISHED, story.item,
                () -> "was removed and is there at the end", removal);
        for (ItemStory.Claimed claim : story.claims) {
            findings.check(!removal.isBefore(claim.operation()), Rule.FINISHED_STAYS_FINISHED, story.item,
                    () -> "was removed and then handed out", removal, claim.operation());
        }
        for (ItemStory.Stepped step : story.steps) {
            boolean effective = step.ended().filter(ended -> !ended.repeated()).isPresent();
            findings.check(!effective || !removal.isBefore(step.operation()), Rule.FINISHED_STAYS_FINISHED,
                    story.item, () -> "was removed and then ended a lease", removal, step.operation());
        }
    }

    private static void check(ItemStory story, ItemStory.Stepped finish, Ending ending, Findings findings) {
        for (ItemStory.Claimed claim : story.claims) {
            boolean later = finish.operation().isBefore(claim.operation());
            findings.check(claim.epoch() <= finish.lease().epoch() && !later, Rule.FINISHED_STAYS_FINISHED, story.item,
                    () -> "was finished under epoch " + finish.lease().epoch() + " and handed out under "
                            + claim.epoch(),
                    finish.operation(), claim.operation());
        }
        for (FinalItem last : story.atTheEnd) {
            findings.check(last.finished() && ending == Ending.KEPT, Rule.FINISHED_STAYS_FINISHED, story.item,
                    () -> "is " + ending + " and yet there at the end as "
                            + (last.finished() ? "kept" : "not finished"),
                    finish.operation());
        }
    }
}
