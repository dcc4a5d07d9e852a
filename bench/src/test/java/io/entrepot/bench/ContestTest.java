package io.entrepot.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Progress;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContestTest {

    private final Progress silent = new Progress(new PrintStream(OutputStream.nullOutputStream()));

    @Test
    void run_letsContestantsTakeTurns_eachInEachPlace() throws Exception {
        List<String> order = new ArrayList<>();
        Contest contest = new Contest("order", "x");
        for (String name : List.of("A", "B", "C")) {
            contest.enter(name, () -> {
                order.add(name);
                return 1;
            });
        }
        contest.run(0, 3, silent);
        assertThat(String.join("", order)).isEqualTo("ABCBCACAB");
    }

    @Test
    void run_doesNotCountWarmUps() throws Exception {
        double[] next = {1000};
        Contest contest = new Contest("warm-up", "x").enter("A", () -> next[0] /= 10);
        assertThat(contest.run(2, 3, silent).of("A").rounds()).containsExactly(1.0, 0.1, 0.01);
    }

    @Test
    void run_endsWithTheFailureOfATrial() {
        Contest contest = new Contest("failure", "x").enter("A", () -> {
            throw new IllegalStateException("broken");
        });
        assertThatThrownBy(() -> contest.run(0, 1, silent)).hasMessage("broken");
    }

    @Test
    void enter_refusesANameTwice() {
        Contest contest = new Contest("twice", "x").enter("A", () -> 1);
        assertThatThrownBy(() -> contest.enter("A", () -> 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void median_isTheMiddle_orBetweenTheTwoInTheMiddle() {
        assertThat(new Series(List.of(9.0, 1.0, 2.0)).median()).isEqualTo(2);
        assertThat(new Series(List.of(9.0, 1.0, 2.0, 4.0)).median()).isEqualTo(3);
        assertThat(new Series(List.of(9.0, 1.0, 2.0)).min()).isEqualTo(1);
        assertThat(new Series(List.of(9.0, 1.0, 2.0)).max()).isEqualTo(9);
        assertThatThrownBy(() -> new Series(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void row_comparesWithEachPeer() throws Exception {
        Row row = new Contest("ratios", "ops/s").enter("ours", () -> 60).enter("slow", () -> 20)
                .enter("limit", () -> 100)
                .run(0, 3, silent).row("a case", "ours", "slow", "limit");
        assertThat(row.ratio("slow")).isEqualTo(3);
        assertThat(row.ratio("limit")).isEqualTo(0.6);
        assertThat(row.json()).containsEntry("case", "a case").containsEntry("value", 60.0)
                .containsEntry("unit", "ops/s")
                .containsEntry("ratios", Map.of("slow", 3.0, "limit", 0.6));
        assertThat(Goal.atLeast(0.6, "limit", row).met()).isTrue();
        assertThat(Goal.atLeast(0.7, "limit", row).line())
                .isEqualTo("goal NOT MET  a case: ≥ 0.70× limit (measured 0.60)");
        assertThat(Goal.atMost(2, "slow", row).met()).isFalse();
    }

    @Test
    void table_isAligned() {
        Series ten = new Series(List.of(10.0));
        Series many = new Series(List.of(12_000.0, 34_567.0, 40_000.0));
        assertThat(Table.of(List.of(new Row("short", "a", "ops/s", many, Map.of("limit", many)),
                new Row("a longer case", "a", "ms", ten, Map.of()))))
                .isEqualTo("""
                           case            value  unit         min–max  × peer
                           short          34,567  ops/s  12,000–40,000
                             limit        34,567         12,000–40,000    1.00
                           a longer case   10.00  ms       10.00–10.00
                           """);
    }
}
