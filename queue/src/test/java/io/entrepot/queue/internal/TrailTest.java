package io.entrepot.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;

class TrailTest {

    @Property
    void line_whateverTheNote_isReadBackAsOneStep(@ForAll @LongRange(min = 1) long epoch,
            @ForAll @LongRange(min = 0, max = 1L << 50) long since,
            @ForAll @LongRange(min = 0, max = 1L << 50) long until,
            @ForAll Outcome.Kind kind, @ForAll @StringLength(max = 500) String note) {
        String text = Trail.put(7) + Trail.line(epoch, since, until, kind, "holder", note)
                + Trail.operator(9, "reset", note);
        List<HistoryStep> steps = Trail.read(text);
        assertThat(steps).hasSize(4);
        assertThat(steps.get(1)).isEqualTo(
                new HistoryStep(Instant.ofEpochMilli(since), "claimed", epoch, "holder", Optional.empty()));
        assertThat(steps.get(2).epoch()).isEqualTo(epoch);
        assertThat(steps.get(2).at()).isEqualTo(Instant.ofEpochMilli(until));
        assertThat(Trail.kind(steps.get(2).what())).isEqualTo(kind);
        assertThat(steps.get(2).note().orElse("").length()).isLessThanOrEqualTo(301);
        assertThat(steps.get(3).what()).isEqualTo("reset");
        assertThat(steps.get(3).note()).isEqualTo(steps.get(2).note());
    }

    @Property
    void cut_whereverItCuts_keepsCharactersWhole(@ForAll @StringLength(max = 50) String text) {
        for (int longest = 1; longest < 60; longest++) {
            String cut = Trail.cut("🐝" + text + "🐝", longest);
            assertThat(cut.length()).isLessThanOrEqualTo(longest + 1);
            assertThat(Character.isHighSurrogate(cut.charAt(cut.length() - 1))).isFalse();
        }
    }

    @Example
    void cut_whenItFits_changesNothing() {
        assertThat(Trail.cut("abc", 3)).isEqualTo("abc");
        assertThat(Trail.cut("abcd", 3)).isEqualTo("abc…");
        assertThat(Trail.cut("ab🐝", 3)).isEqualTo("ab…");
    }

    @Example
    void lastFailure_whateverCameAfter_isTheLastSinceTheItemWasFresh() {
        String failed = Trail.put(1) + Trail.line(1, 2, 3, Outcome.Kind.RETRYING, "w", "e")
                + Trail.line(2, 4, 5, Outcome.Kind.EXPIRED, "w", "e");
        assertThat(Trail.lastFailure(Trail.put(1))).isEmpty();
        assertThat(Trail.lastFailure(failed)).contains(Instant.ofEpochMilli(5));
        assertThat(Trail.lastFailure("…\t7\tdead\tw\t\n" + failed + Trail.operator(6, "made-ready", "")
                + Trail.line(3, 6, 7, Outcome.Kind.RELEASED, "w", "") + Trail.line(4, 6, 7, Outcome.Kind.TAKEN_BACK,
                        "w", "dead")))
                .contains(Instant.ofEpochMilli(5));
        assertThat(Trail.lastFailure(failed + Trail.operator(6, "reset", ""))).isEmpty();
        assertThat(Trail.lastFailure(failed + Trail.line(3, 6, 7, Outcome.Kind.KEPT, "w", ""))).isEmpty();
        assertThat(Trail.lastFailure(failed + Trail.line(3, 6, 7, Outcome.Kind.DEAD, "w", "")))
                .contains(Instant.ofEpochMilli(7));
    }

    @Example
    void kind_whateverItIs_isReadBack() {
        assertThat(Outcome.Kind.values()).allSatisfy(kind -> assertThat(Trail.kind(Trail.name(kind))).isEqualTo(kind));
        assertThat(Trail.name(Outcome.Kind.TAKEN_BACK)).isEqualTo("taken-back");
    }
}
