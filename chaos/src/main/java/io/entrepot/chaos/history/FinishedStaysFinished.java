package io.entrepot.chaos.history;

/** What was finished under an epoch has no greater one, is not handed out afterwards, and is not waiting at the end. */
final class FinishedStaysFinished implements ItemRule {

    @Override
    public void check(ItemStory story, Findings findings) {
        for (ItemStory.Stepped step : story.steps) {
            step.ended().map(Answer.Ended::ending).filter(Ending::isFinish).ifPresent(
                    ending -> check(story, step, ending, findings));
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
