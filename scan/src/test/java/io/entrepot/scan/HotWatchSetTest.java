package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.EpochNanos;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class HotWatchSetTest {
    private static final BytePath ROOT = BytePath.of("/data");

    private final HotWatchSet set = new HotWatchSet(ROOT, HotWatchSet.Settings.DEFAULT);
    private final Set<BytePath> watched = new TreeSet<>(Set.of(ROOT));
    private ClockDrift.Estimate drift = ClockDrift.Estimate.NONE;
    private Instant now = Instant.parse("2026-11-16T12:00:00Z");

    @Test
    void plan_choosesThoseWhereSomethingHappenedLast() {
        WatchPlan plan = plan(3, ago("a", 60), ago("b", 5), ago("c", 30), ago("d", 600));
        assertThat(plan.watch()).containsExactlyInAnyOrder(at("b"), at("c"));
        assertThat(plan.report().notWatched()).isEqualTo(2);
        assertThat(plan.report().toString()).contains("3 of 5 directories", "2 are left to scans");
    }

    @Test
    void plan_whenHotOneIsDeep_watchesItsAncestorsFirst() {
        WatchPlan plan = plan(4, ago("a", 500), ago("a/b", 400), ago("a/b/c", 1), ago("x", 100));
        assertThat(plan.watch()).containsExactly(at("a"), at("a/b"), at("a/b/c"));
    }

    @Test
    void plan_whenHotOneWithItsAncestorsDoesNotFit_takesTheNext() {
        WatchPlan plan = plan(3, ago("a", 500), ago("a/b", 400), ago("a/b/c", 1), ago("x", 100));
        assertThat(plan.watch()).contains(at("x"));
        assertThat(plan.watch().size()).isLessThanOrEqualTo(2);
    }

    @Test
    void plan_whenStorageClockIsWrong_correctsIt() {
        drift = new ClockDrift.Estimate(Duration.ofHours(3), Duration.ofSeconds(1), 20);
        DirectoryTimes shifted = new DirectoryTimes(at("a"), nanos(Duration.ofHours(3).minusMinutes(1)),
                nanos(Duration.ofHours(3).minusMinutes(1)));
        DirectoryTimes older = new DirectoryTimes(at("b"), nanos(Duration.ofHours(3).minusMinutes(2)),
                nanos(Duration.ofHours(3).minusMinutes(2)));
        assertThat(plan(2, older, shifted).watch()).containsExactly(at("a"));
    }

    @Test
    void plan_whenTimeIsInTheFuture_doesNotLetItWinForEver() {
        DirectoryTimes future = new DirectoryTimes(at("future"), Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(plan(2, future, ago("b", 5)).watch()).containsExactly(at("future"));
        watched.add(at("future"));
        now = now.plus(Duration.ofHours(1));
        WatchPlan later = plan(2, future, ago("b", 5));
        assertThat(later.watch()).containsExactly(at("b"));
        assertThat(later.leave()).containsExactly(at("future"));
        watched.remove(at("future"));
        watched.add(at("b"));
        now = now.plus(Duration.ofHours(1));
        assertThat(plan(2, future, ago("b", 90)).watch()).isEmpty();
    }

    @Test
    void plan_whenModificationTimeIsSet_goesByTheChangeTime() {
        DirectoryTimes ahead = new DirectoryTimes(at("ahead"), nanos(Duration.ofDays(400)),
                nanos(Duration.ofDays(-3)));
        DirectoryTimes preserved = new DirectoryTimes(at("preserved"), 0, nanos(Duration.ofMinutes(-1)));
        DirectoryTimes ancient = new DirectoryTimes(at("ancient"), 0, 0);
        assertThat(plan(3, ancient, ahead, ago("b", 5), preserved).watch()).containsExactlyInAnyOrder(at("preserved"),
                at("b"));
    }

    @Test
    void plan_whenActivityIsAboutEqual_doesNotFlap() {
        watched.addAll(List.of(at("a"), at("b")));
        plan(3, ago("a", 60), ago("b", 60));
        now = now.plus(Duration.ofMinutes(6));
        for (int i = 0; i < 10; i++) {
            now = now.plus(Duration.ofMinutes(1));
            set.active(at("a"), nanos(Duration.ofMinutes(-1)));
            set.active(at("b"), nanos(Duration.ofMinutes(-1)));
            WatchPlan plan = plan(3, ago("a", 60), ago("b", 60), ago("c", 0), ago("d", 0));
            assertThat(plan.leave()).isEmpty();
            assertThat(plan.watch()).isEmpty();
        }
    }

    @Test
    void plan_whenActivityMoves_followsIt() {
        watched.addAll(List.of(at("a"), at("a/b")));
        plan(3, ago("a", 60), ago("a/b", 60));
        now = now.plus(Duration.ofHours(2));
        WatchPlan plan = plan(3, ago("a", 180), ago("a/b", 180), ago("c", 1), ago("d", 1));
        assertThat(plan.leave()).containsExactly(at("a"));
        assertThat(plan.watch()).containsExactlyInAnyOrder(at("c"), at("d"));
    }

    @Test
    void plan_whenJustWatched_keepsItForAWhile() {
        watched.add(at("a"));
        plan(2, ago("a", 600));
        now = now.plus(Duration.ofMinutes(1));
        assertThat(plan(2, ago("a", 600), ago("b", 0)).leave()).isEmpty();
    }

    @Test
    void plan_whenEventsCome_countsThemAsActivity() {
        watched.add(at("a"));
        plan(2, ago("a", 600));
        now = now.plus(Duration.ofHours(1));
        set.active(at("a"), nanos(Duration.ofMinutes(-2)));
        assertThat(plan(2, ago("a", 600), ago("b", 0)).leave()).isEmpty();
    }

    @Test
    void plan_whenThereAreAThousand_watchesTen() {
        List<DirectoryTimes> all = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            all.add(ago("d" + i, 2000 - i));
        }
        WatchPlan plan = plan(10, all.toArray(DirectoryTimes[]::new));
        assertThat(plan.watch()).hasSize(9).contains(at("d999"), at("d991"));
        assertThat(plan.report().notWatched()).isEqualTo(991);
    }

    @Test
    void affordable_leavesSomeToOthers() {
        assertThat(HotWatchSet.affordable(1_000_000, 8192)).isEqualTo(7168);
        assertThat(HotWatchSet.affordable(500, 8192)).isEqualTo(500);
        assertThat(HotWatchSet.affordable(500, 100)).isEqualTo(50);
        assertThat(HotWatchSet.affordable(500, 0)).isEqualTo(1);
    }

    @Test
    void report_whenKernelIsTheLimit_namesTheSetting() {
        assertThat(new WatchReport(500_000, 7168, 7168, 8192, false).toString())
                .contains("sysctl fs.inotify.max_user_watches=501024 (now 8192)");
        assertThat(new WatchReport(500, 10, 10, 8192, false).toString()).contains("raise the limit to 500");
        assertThat(new WatchReport(5, 5, 10, 8192, false).toString()).isEqualTo(
                "5 directories are watched, all of them");
    }

    private WatchPlan plan(int limit, DirectoryTimes... scanned) {
        List<DirectoryTimes> all = new ArrayList<>(List.of(scanned));
        all.add(ago("", 10_000));
        return set.plan(all, watched, drift, nanos(Duration.ZERO), limit, 8192, false);
    }

    private DirectoryTimes ago(String path, long minutes) {
        long time = nanos(Duration.ofMinutes(-minutes));
        return new DirectoryTimes(at(path), time, time);
    }

    private static BytePath at(String path) {
        return ROOT.resolve(BytePath.of(path));
    }

    private long nanos(Duration fromNow) {
        return EpochNanos.of(now.plus(fromNow));
    }
}
