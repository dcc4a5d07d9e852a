package io.entrepot.chaos.history;

import static io.entrepot.chaos.history.Script.again;
import static io.entrepot.chaos.history.Script.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.chaos.history.Call.Step.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a correct queue may do is never called a violation, however odd it looks. */
class GoodHistoriesTest {

    private final Script script = new Script();

    @Test
    void aLife_fromPutToFinish() {
        assertThat(script.put(0, 1, "a").claim(2, 3, "a", 1).renew(4, 5, "a", 1).finish(6, 7, "a", 1).end()).isEmpty();
    }

    @Test
    void anItem_thatIsStillThere() {
        assertThat(script.put(0, 1, "a").put(0, 1, "b").claim(2, 3, "b", 1).end("a", "b")).isEmpty();
    }

    @Test
    void retries_expiriesAndReleases() {
        script.put(0, 1, "a")
                .claim(2, 3, "a", 1)
                .step(4, 5, Kind.FAIL, "a", 1, done(Ending.RETRYING))
                .claim(6, 7, "a", 2)
                .release(8, 9, "a", 2)
                .claim(10, 11, "a", 3) // runs out
                .claim(20, 21, "a", 4)
                .step(22, 23, Kind.FINISH, "a", 3, new Answer.Refused("lost"))
                .step(24, 25, Kind.FAIL, "a", 4, done(Ending.DEAD));
        assertThat(script.end("a")).isEmpty();
    }

    @Test
    void overlappingClaims_answeredInAnyOrder() {
        // The second one took effect first although it began and ended later.
        assertThat(script.put(0, 1, "a").claim(2, 20, "a", 2).claim(3, 21, "a", 1).end("a")).isEmpty();
    }

    @Test
    void aClaim_thatOverlapsThePut() {
        assertThat(script.put(5, 50, "a").claim(1, 10, "a", 1).end("a")).isEmpty();
    }

    @Test
    void aStep_thatOverlapsTheNextClaim() {
        // The release took effect before the claim, its answer came after.
        assertThat(script.put(0, 1, "a").claim(2, 3, "a", 1).release(4, 20, "a", 1).claim(5, 6, "a", 2).end("a"))
                .isEmpty();
    }

    @Test
    void aRenewal_thatOverlapsTheNextClaim() {
        assertThat(script.put(0, 1, "a").claim(2, 3, "a", 1).renew(4, 20, "a", 1).claim(5, 6, "a", 2).end("a"))
                .isEmpty();
    }

    @Test
    void aRepeatedCall_longAfterTheItemWentOn() {
        script.put(0, 1, "a")
                .claim(2, 3, "a", 1)
                .release(4, 5, "a", 1)
                .claim(6, 7, "a", 2)
                .step(8, 9, Kind.RELEASE, "a", 1, again(Ending.RELEASED))
                .step(10, 11, Kind.FINISH, "a", 1, again(Ending.RELEASED))
                .finish(12, 13, "a", 2)
                .step(14, 15, Kind.FINISH, "a", 2, again(Ending.FINISHED));
        assertThat(script.end()).isEmpty();
    }

    @Test
    void aFinish_whoseAnswerWasLost_done() {
        assertThat(script.put(0, 1, "a").claim(2, 3, "a", 1).finishUnknown(4, "a", 1).end()).isEmpty();
    }

    @Test
    void aFinish_whoseAnswerWasLost_notDone() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).finishUnknown(4, "a", 1).claim(10, 11, "a", 2);
        assertThat(script.end("a")).isEmpty();
    }

    @Test
    void aFinish_whoseAnswerWasLost_askedAgain() {
        script.put(0, 1, "a")
                .claim(2, 3, "a", 1)
                .finishUnknown(4, "a", 1)
                .step(10, 11, Kind.FINISH, "a", 1, again(Ending.FINISHED));
        assertThat(script.end()).isEmpty();
        assertThat(
                new Script().put(0, 1, "a").claim(2, 3, "a", 1).finishUnknown(4, "a", 1).finish(10, 11, "a", 1).end())
                .isEmpty();
    }

    @Test
    void aPut_whoseAnswerWasLost() {
        assertThat(new Script().putUnknown(0, "a").end()).isEmpty();
        assertThat(new Script().putUnknown(0, "a").end("a")).isEmpty();
        assertThat(new Script().putUnknown(0, "a").claim(5, 6, "a", 1).finish(7, 8, "a", 1).end()).isEmpty();
        // Gone without a known finish: it was never acknowledged.
        assertThat(new Script().putUnknown(0, "a").claim(5, 6, "a", 1).end()).isEmpty();
    }

    @Test
    void aClaim_whoseAnswerWasLost() {
        script.put(0, 1, "a")
                .op(2, Operation.NEVER, new Call.Claim(), new Answer.Unknown("died"))
                .claim(10, 11, "a", 2)
                .finish(12, 13, "a", 2);
        assertThat(script.end()).isEmpty();
    }

    @Test
    void aKeptItem() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).step(4, 5, Kind.FINISH, "a", 1, done(Ending.KEPT));
        assertThat(script.endWith(List.of(new FinalItem("a", true)))).isEmpty();
        assertThat(script.end()).as("purged").isEmpty();
    }

    @Test
    void aPut_repeatedWithItsKey() {
        script.op(0, Operation.NEVER, new Call.Put("a", Optional.of("k")), new Answer.Unknown("died"))
                .put(5, 6, "a", "k", "id-a")
                .put(7, 8, "a", "k", "id-a")
                .op(9, 10, new Call.Put("b", Optional.of("k")), new Answer.Refused("conflict"));
        assertThat(script.end("a")).isEmpty();
    }

    @Test
    void aRemoval_whileSomebodyHasIt() {
        script.put(0, 1, "a").claim(2, 3, "a", 1).remove(4, 5, "a")
                .step(6, 7, Kind.FINISH, "a", 1, new Answer.Refused("lost"));
        assertThat(script.end()).isEmpty();
    }

    @Test
    void aRemoval_whoseAnswerWasLost() {
        script.put(0, 1, "a").op(2, Operation.NEVER, new Call.Remove("a"), new Answer.Unknown("died"));
        assertThat(script.end()).isEmpty();
        assertThat(script.end("a")).isEmpty();
    }

    @Test
    void aBatch() {
        script.put(0, 1, "a").put(0, 1, "b").op(2, 3, new Call.Claim(),
                new Answer.Granted(List.of(Script.lease("a", 1), Script.lease("b", 1))));
        assertThat(script.finish(4, 5, "b", 1).end("a")).isEmpty();
    }

    @Test
    void soFar_asksForNothingThatIsNotKnownYet() {
        assertThat(script.put(0, 1, "a").soFar().violations()).isEmpty();
        assertThat(script.claim(2, 3, "a", 1).soFar().checks()).isPositive();
    }
}
