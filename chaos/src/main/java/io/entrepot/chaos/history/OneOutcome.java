package io.entrepot.chaos.history;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * First outcome wins. Of all calls that end one lease, at most one has an effect, of the kind it asked for; all others are
 * told that outcome. An outcome that is told as an earlier one's comes from a call that can have had it.
 */
final class OneOutcome implements ItemRule {

    @Override
    public void check(ItemStory story, Findings findings) {
        Map<Grant, List<ItemStory.Stepped>> byLease = story.steps.stream()
                .collect(Collectors.groupingBy(ItemStory.Stepped::lease));
        byLease.values().forEach(steps -> check(story.item, steps, findings));
    }

    private static void check(String item, List<ItemStory.Stepped> steps, Findings findings) {
        for (ItemStory.Stepped step : steps) {
            step.ended().ifPresent(ended -> {
                if (ended.repeated()) {
                    repeated(item, step, ended.ending(), steps, findings);
                } else {
                    effective(item, step, ended.ending(), steps, findings);
                }
            });
            if (step.operation().answer() instanceof Answer.Renewed) {
                steps.stream().filter(other -> other.ended().isPresent()).forEach(other -> findings.check(
                        !other.operation().isBefore(step.operation()), Rule.ONE_OUTCOME, item,
                        () -> "was renewed after its lease had ended", other.operation(), step.operation()));
            }
        }
    }

    private static void effective(String item, ItemStory.Stepped step, Ending ending, List<ItemStory.Stepped> steps,
            Findings findings) {
        findings.check(step.kind() == ending.cause(), Rule.ONE_OUTCOME, item,
                () -> "was " + ending + " by a call for " + step.kind(), step.operation());
        for (ItemStory.Stepped other : steps) {
            if (other.equals(step)) {
                continue;
            }
            other.ended().ifPresent(ended -> {
                findings.check(ended.repeated() && ended.ending() == ending, Rule.ONE_OUTCOME, item,
                        () -> "has two outcomes of one lease", step.operation(), other.operation());
                findings.check(!other.operation().isBefore(step.operation()), Rule.ONE_OUTCOME, item,
                        () -> "was ended after the lease was known to have ended", other.operation(), step.operation());
            });
        }
    }

    private static void repeated(String item, ItemStory.Stepped step, Ending ending, List<ItemStory.Stepped> steps,
            Findings findings) {
        boolean known = steps.stream().anyMatch(other -> !other.equals(step) && canHaveCaused(other, ending)
                && !step.operation().isBefore(other.operation()));
        findings.check(known, Rule.ONE_OUTCOME, item, () -> "is told the outcome " + ending + " that no call had",
                step.operation());
        for (ItemStory.Stepped other : steps) {
            other.ended().ifPresent(ended -> findings.check(ended.ending() == ending, Rule.ONE_OUTCOME, item,
                    () -> "has two outcomes of one lease", step.operation(), other.operation()));
        }
    }

    private static boolean canHaveCaused(ItemStory.Stepped step, Ending ending) {
        return step.kind() == ending.cause() && (step.operation().isUnknown()
                || step.ended().filter(ended -> !ended.repeated()).isPresent());
    }
}
