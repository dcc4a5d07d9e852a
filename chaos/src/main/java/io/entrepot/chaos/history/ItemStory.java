package io.entrepot.chaos.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All operations that concern one item. Filled once, then only read. */
final class ItemStory {

    /** A claim that handed the item out. */
    record Claimed(Operation operation, Grant grant) {

        long epoch() {
            return grant.epoch();
        }
    }

    /** A step and the lease it named. */
    record Stepped(Operation operation, Call.Step.Kind kind, Grant lease) {

        /** How the lease ended, if the answer says so. */
        Optional<Answer.Ended> ended() {
            return operation.answer() instanceof Answer.Ended ended ? Optional.of(ended) : Optional.empty();
        }

        boolean finished() {
            return ended().filter(ended -> ended.ending().isFinish()).isPresent();
        }
    }

    final String item;
    final List<Operation> puts = new ArrayList<>();
    final List<Claimed> claims = new ArrayList<>();
    final List<Stepped> steps = new ArrayList<>();
    final List<Operation> removals = new ArrayList<>();
    final List<FinalItem> atTheEnd = new ArrayList<>();

    private ItemStory(String item) {
        this.item = item;
    }

    static Map<String, ItemStory> all(List<Operation> operations, List<FinalItem> atTheEnd) {
        Map<String, ItemStory> stories = new HashMap<>();
        for (Operation operation : operations) {
            switch (operation.call()) {
                case Call.Put put -> of(stories, put.item()).puts.add(operation);
                case Call.Remove remove -> of(stories, remove.item()).removals.add(operation);
                case Call.Step step -> of(stories, step.lease().item()).steps
                        .add(new Stepped(operation, step.kind(), step.lease()));
                case Call.Claim claim -> {
                    if (operation.answer() instanceof Answer.Granted granted) {
                        granted.grants().forEach(
                                grant -> of(stories, grant.item()).claims.add(new Claimed(operation, grant)));
                    }
                }
            }
        }
        atTheEnd.forEach(last -> of(stories, last.item()).atTheEnd.add(last));
        return stories;
    }

    private static ItemStory of(Map<String, ItemStory> stories, String item) {
        return stories.computeIfAbsent(item, ItemStory::new);
    }

    /** Claims with a greater epoch. */
    List<Claimed> claimsAfter(long epoch) {
        return claims.stream().filter(claim -> claim.epoch() > epoch).toList();
    }
}
