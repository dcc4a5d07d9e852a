package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Mount;
import io.entrepot.posix.Name;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotificationTest {
    private static final BytePath FILE = BytePath.of("/data/file");

    @TempDir
    Path directory;

    private BytePath path = BytePath.ROOT;
    private final NotificationTrust trust = new NotificationTrust(Duration.ofNanos(10));

    @BeforeEach
    void resolve() throws Exception {
        path = BytePath.of(directory.toRealPath());
    }

    @Test
    void judge_onLocalStorage_saysItWorksAndTouchesNothing() throws Exception {
        NotificationVerdict verdict = new NotificationProbe(WatchedTree.CALLS, WatchedTree.CLOCK).judge(path);
        assertThat(verdict).isInstanceOf(NotificationVerdict.Works.class);
        assertThat(verdict.words()).startsWith("notification works here (");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void judge_withoutInotify_saysWhy() throws Exception {
        assertThat(new NotificationProbe(FileCalls.nio(), WatchedTree.CLOCK).judge(path).words())
                .contains("does not work here: there is no inotify", "polling takes over");
    }

    @Test
    void judge_whenDirectoryIsNotThere_saysWhy() throws Exception {
        assertThat(new NotificationProbe(WatchedTree.CALLS, WatchedTree.CLOCK).judge(path.resolve(Name.of("none")))
                .isUseful()).isFalse();
    }

    @Test
    void measure_whereWritingIsAllowed_saysHowLongItTakesAndLeavesNothing() throws Exception {
        NotificationVerdict verdict = new NotificationProbe(WatchedTree.CALLS, WatchedTree.CLOCK).measure(path,
                Name.of(".probe"), Duration.ofSeconds(20));
        assertThat(verdict).isInstanceOfSatisfying(NotificationVerdict.Works.class,
                works -> assertThat(works.latency()).hasValueSatisfying(
                        latency -> assertThat(latency).isPositive().isLessThan(Duration.ofSeconds(20))));
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void words_onNetworkStorage_sayThatOthersAreNotHeard() {
        Mount nfs = new Mount(7, BytePath.of("/mnt"), "nfs4", "server:/export", 1);
        NotificationVerdict verdict = new NotificationVerdict.LocalOnly(nfs, Optional.empty());
        assertThat(verdict.words()).contains("only what this machine changes (nfs4 on /mnt)", "poll");
        assertThat(verdict.isUseful()).isTrue();
        assertThat(verdict.isSufficient()).isFalse();
    }

    @Test
    void trust_whenEventCameBeforeOrSoonAfter_stays() {
        trust.heard(FILE, 100);
        trust.found(FILE, 50, 120);
        assertThat(trust.verdict(1000)).isEmpty();
        trust.found(FILE, 1050, 1120);
        trust.heard(FILE, 1125);
        assertThat(trust.verdict(2000)).isEmpty();
    }

    @Test
    void trust_whenNoEventCame_isLostForGood() {
        trust.heard(FILE, 100);
        trust.found(FILE, 200, 300);
        assertThat(trust.verdict(305)).isEmpty();
        assertThat(trust.verdict(311)).hasValueSatisfying(
                verdict -> assertThat(verdict.words()).contains("/data/file", "since 1970-01-01T"));
        trust.heard(FILE, 312);
        assertThat(trust.verdict(400)).isPresent();
    }
}
