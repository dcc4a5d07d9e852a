package io.entrepot.chaos.history;

import static io.entrepot.chaos.history.Script.again;
import static io.entrepot.chaos.history.Script.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.chaos.history.Call.Step.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each rule finds what it is for. */
class BadHistoriesTest {

    private final Script script = new Script();

    private static void assertBroken(Rule rule, List<Violation> violations) {
        assertThat(violations).isNotEmpty().extracting(Violation::rule).contains(rule);
    }

    private static void assertOnly(Rule rule, List<Violation> violations) {
        assertThat(violations).isNotEmpty().extracting(Violation::rule).containsOnly(rule);
    }

    @Test
    void lost_whenAnAcknowledgedPutIsGone() {
        assertOnly(Rule.NOTHING_LOST, script.put(0, 1, "a").put(0, 1, "b").end("b"));
    }

    @Test
    void lost_whenItVanishedWhileHeld() {
        assertOnly(Rule.NOTHING_LOST, script.put(0, 1, "a").claim(2, 3, "a", 1).end());
    }

    @Test
    void lost_whenTheOnlyFinishWasRefused() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).step(4, 5, Kind.FINISH, "a", 1, new Answer.Refused("lost"));
        assertOnly(Rule.NOTHING_LOST, script.end());
    }

    @Test
    void lost_whenAnUnknownFinishCannotHaveBeenTheLastWord() {
        // Handed out again after it, so the finish was not done; and then nobody finished it.
        script.put(0, 1, "a").claim(2, 3, "a", 1).finishUnknown(4, "a", 1).claim(10, 11, "a", 2);
        assertOnly(Rule.NOTHING_LOST, script.end());
    }

    @Test
    void lost_whenTheLeaseOfAnUnknownFinishEndedOtherwise() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).finishUnknown(4, "a", 1).release(5, 6, "a", 1);
        assertOnly(Rule.NOTHING_LOST, script.end());
    }

    @Test
    void lost_whenItIsKeptAndNobodyFinishedIt() {
        assertOnly(Rule.NOTHING_LOST, script.put(0, 1, "a").endWith(List.of(new FinalItem("a", true))));
    }

    @Test
    void finished_andHandedOutAgain() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).finish(4, 5, "a", 1).claim(6, 7, "a", 2);
        assertOnly(Rule.FINISHED_STAYS_FINISHED, script.end());
    }

    @Test
    void finished_andHandedOutAtTheSameTime() {
        // Overlapping, so the clock does not tell; the epochs do.
        script.put(0, 1, "a").claim(2, 3, "a", 1).finish(4, 20, "a", 1).claim(5, 21, "a", 2);
        assertOnly(Rule.FINISHED_STAYS_FINISHED, script.end());
    }

    @Test
    void finished_andThereAtTheEnd() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).finish(4, 5, "a", 1);
        assertOnly(Rule.FINISHED_STAYS_FINISHED, script.end("a"));
        assertOnly(Rule.FINISHED_STAYS_FINISHED, script.endWith(List.of(new FinalItem("a", true))));
    }

    @Test
    void removed_andHandedOutAgain() {
        assertOnly(Rule.FINISHED_STAYS_FINISHED, script.put(0, 1, "a").remove(2, 3, "a").claim(4, 5, "a", 1).end());
    }

    @Test
    void removed_andThereAtTheEnd() {
        assertOnly(Rule.FINISHED_STAYS_FINISHED, script.put(0, 1, "a").remove(2, 3, "a").end("a"));
    }

    @Test
    void removed_andThenFinished() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).remove(4, 5, "a").finish(6, 7, "a", 1);
        assertOnly(Rule.FINISHED_STAYS_FINISHED, script.end());
    }

    @Test
    void lost_whenTheOnlyRemovalWasRefused() {
        script.put(0, 1, "a").op(2, 3, new Call.Remove("a"), new Answer.Refused("not-found"));
        assertOnly(Rule.NOTHING_LOST, script.end());
    }

    @Test
    void finished_asARepeatedCallWasTold_andHandedOutAgain() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).finishUnknown(4, "a", 1)
                .step(5, 6, Kind.FINISH, "a", 1, again(Ending.FINISHED)).claim(7, 8, "a", 2);
        assertOnly(Rule.FINISHED_STAYS_FINISHED, script.end());
    }

    @Test
    void epoch_handedOutTwice() {
        assertOnly(Rule.EPOCHS_GROW, script.put(0, 1, "a").claim(2, 10, "a", 1).claim(3, 11, "a", 1).end("a"));
    }

    @Test
    void epoch_goingBack() {
        assertOnly(Rule.EPOCHS_GROW, script.put(0, 1, "a").claim(2, 3, "a", 2).claim(4, 5, "a", 1).end("a"));
    }

    @Test
    void epoch_goingBack_seenThroughOthers() {
        // 3 overlaps both neighbours in epoch order, but 4 was over before 1 began.
        script.put(0, 1, "a").claim(2, 3, "a", 4).claim(2, 50, "a", 3).claim(10, 11, "a", 1);
        assertOnly(Rule.EPOCHS_GROW, script.end("a"));
    }

    @Test
    void holder_whoseLeaseWasOver_finishes() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).claim(10, 11, "a", 2).finish(12, 13, "a", 1);
        assertBroken(Rule.ONE_HOLDER, script.end());
    }

    @Test
    void holder_whoseLeaseWasOver_failsReleasesOrRenews() {
        for (Answer answer : List.of(done(Ending.RETRYING), done(Ending.RELEASED), new Answer.Renewed())) {
            Kind kind = answer instanceof Answer.Ended ended ? ended.ending().cause() : Kind.RENEW;
            assertOnly(Rule.ONE_HOLDER, new Script().put(0, 1, "a").claim(2, 3, "a", 1).claim(10, 11, "a", 2)
                    .step(12, 13, kind, "a", 1, answer).end("a"));
        }
    }

    @Test
    void holder_whoWasNone() {
        assertOnly(Rule.ONE_HOLDER, script.put(0, 1, "a").finish(2, 3, "a", 1).end());
    }

    @Test
    void holder_withAnotherNonce() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).op(4, 5, new Call.Step(Kind.FINISH, new Grant("a", 1, "forged")),
                done(Ending.FINISHED));
        assertOnly(Rule.ONE_HOLDER, script.end());
    }

    @Test
    void outcome_twice() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).finish(4, 5, "a", 1).finish(6, 7, "a", 1);
        assertOnly(Rule.ONE_OUTCOME, script.end());
    }

    @Test
    void outcome_ofTwoKinds() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).release(4, 10, "a", 1).step(5, 11, Kind.FAIL, "a", 1,
                done(Ending.DEAD));
        assertOnly(Rule.ONE_OUTCOME, script.end("a"));
    }

    @Test
    void outcome_toldDifferently() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).release(4, 5, "a", 1)
                .step(6, 7, Kind.FAIL, "a", 1, again(Ending.RETRYING));
        assertOnly(Rule.ONE_OUTCOME, script.end("a"));
    }

    @Test
    void outcome_toldWithoutACause() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).step(4, 5, Kind.FINISH, "a", 1, again(Ending.FINISHED));
        assertOnly(Rule.ONE_OUTCOME, script.end());
    }

    @Test
    void outcome_ofAnotherKindThanAskedFor() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).step(4, 5, Kind.FINISH, "a", 1, done(Ending.RELEASED));
        assertOnly(Rule.ONE_OUTCOME, script.end("a"));
    }

    @Test
    void outcome_afterItWasTold() {
        script.put(0, 1, "a").claim(2, 3, "a", 1)
                .step(4, Operation.NEVER, Kind.RELEASE, "a", 1, new Answer.Unknown("died"))
                .step(5, 6, Kind.RELEASE, "a", 1, again(Ending.RELEASED)).release(7, 8, "a", 1);
        assertOnly(Rule.ONE_OUTCOME, script.end("a"));
    }

    @Test
    void renewal_afterTheOutcome() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).release(4, 5, "a", 1).renew(6, 7, "a", 1);
        assertOnly(Rule.ONE_OUTCOME, script.end("a"));
    }

    @Test
    void nowhere_claimed() {
        assertOnly(Rule.NOTHING_FROM_NOWHERE, script.claim(2, 3, "a", 1).end());
    }

    @Test
    void nowhere_claimedBeforeItWasPut() {
        assertOnly(Rule.NOTHING_FROM_NOWHERE, script.claim(2, 3, "a", 1).put(4, 5, "a").end("a"));
    }

    @Test
    void nowhere_althoughThePutWasRefused() {
        script.op(0, 1, new Call.Put("a", Optional.empty()), new Answer.Refused("paused"));
        assertOnly(Rule.NOTHING_FROM_NOWHERE, script.claim(2, 3, "a", 1).end());
        assertOnly(Rule.NOTHING_FROM_NOWHERE, new Script()
                .op(0, 1, new Call.Put("a", Optional.empty()), new Answer.Refused("paused")).end("a"));
    }

    @Test
    void nowhere_thereTwice() {
        assertOnly(Rule.NOTHING_FROM_NOWHERE, new Script().put(0, 1, "a").end("a", "a"));
        assertOnly(Rule.NOTHING_FROM_NOWHERE, new Script().putUnknown(0, "a").end("a", "a"));
    }

    @Test
    void identity_ofAKeyThatNamesTwoItems() {
        assertOnly(Rule.ONE_IDENTITY, script.put(0, 1, "a", "k", "id-1").put(2, 3, "a", "k", "id-2").end("a"));
    }

    @Test
    void identity_ofAKeyWithTwoBodies() {
        assertOnly(Rule.ONE_IDENTITY, script.put(0, 1, "a", "k", "id-1").put(2, 3, "b", "k", "id-2").end("a", "b"));
    }

    @Test
    void identity_ofTwoItemsWithOneName() {
        assertOnly(Rule.ONE_IDENTITY, script.put(0, 1, "a", "k", "id-1").put(2, 3, "b", "l", "id-1").end("a", "b"));
    }

    @Test
    void violation_saysItemRuleAndOperations() {
        List<Violation> violations = script.put(0, 1, "a").claim(2, 3, "a", 1).finish(4, 5, "a", 1).claim(6, 7, "a", 2)
                .end();
        assertThat(violations).singleElement().asString().contains("FINISHED_STAYS_FINISHED", "item a", "epoch 1",
                "FINISH", "Claim", "test/worker 6…+1");
    }
}
