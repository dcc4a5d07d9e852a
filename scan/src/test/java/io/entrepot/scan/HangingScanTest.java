package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.entrepot.lab.FaultyCalls;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.Errno;
import io.entrepot.posix.PosixException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scans that end early, or are kept from ending. */
class HangingScanTest {
    private static final BootClock CLOCK = BootClock.system();

    private final FaultyCalls calls = new FaultyCalls();
    private final Scanner scanner = new Scanner(calls, CLOCK);
    private final Seen seen = new Seen();
    @SuppressWarnings("NullAway.Init") // before each test
    private Tree tree;

    @BeforeEach
    void makeTree() throws IOException {
        tree = new Tree();
    }

    @AfterEach
    void removeTree() throws IOException {
        tree.close();
        await("all directories are closed").until(() -> calls.open() == 0);
    }

    private ScanRequest all() {
        return ScanRequest.of(tree.root);
    }

    @Test
    void cancel_whileTheSinkWaits_endsSoonAndSaysSo() throws Exception {
        for (int i = 0; i < 100; i++) {
            tree.directory("a" + i);
        }
        BlockingQueue<Visit> full = new LinkedBlockingQueue<>(10);
        Scan scan = scanner.start(all(), full::put);
        await().until(() -> full.remainingCapacity() == 0);
        scan.cancel();
        ScanReport report = scan.await();
        assertThat(report.cancelled()).isTrue();
        assertThat(report.isWhole()).isFalse();
        assertThat(report.counts().directories()).isBetween(8L, 10L);
        assertThat(report.hanging()).isEmpty();
        assertThat(full).hasSize(10);
    }

    @Test
    void scan_whenTheCallerIsInterrupted_isCancelled() throws Exception {
        CountDownLatch latch = calls.hang(tree.root);
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                scanner.scan(all(), seen);
            } catch (InterruptedException e) {
                interrupted.set(true);
            } catch (PosixException e) {
                throw new AssertionError(e);
            }
        });
        await().until(() -> calls.inHang() == 1);
        caller.interrupt();
        caller.join();
        assertThat(interrupted).isTrue();
        latch.countDown();
        await().until(() -> calls.inHang() == 0);
        assertThat(seen.visits()).isEmpty();
    }

    @Test
    void cancel_whenADirectoryHangs_endsSoonAndReportsWhere() throws Exception {
        tree.file("good/file", 1);
        tree.directory("dead");
        CountDownLatch latch = calls.hang(tree.at("dead"));
        Scan scan = scanner.start(all(), seen);
        await().until(() -> calls.inHang() == 1 && seen.visits().size() == 2);
        assertThat(scan.progress().at()).extracting(ScanProgress.Place::directory).containsExactly(tree.at("dead"));
        scan.cancel();
        ScanReport report = scan.await();
        assertThat(report.cancelled()).isTrue();
        assertThat(report.hanging()).extracting(ScanProgress.Place::directory).containsExactly(tree.at("dead"));
        assertThat(report.problems()).containsExactly(new Problem(tree.at("dead"), Problem.Kind.HANGING, Errno.NONE));
        assertThat(report.counts().problems()).isEqualTo(1);
        assertThat(scanner.stranded()).isEqualTo(1);
        latch.countDown();
        await().until(() -> scanner.stranded() == 0);
        assertThat(seen.visits()).as("told after the end").doesNotContainKey(tree.at("dead"));
    }

    @Test
    void scan_whenADirectoryHangsLongerThanThePatience_goesOnWithoutIt() throws Exception {
        for (int i = 0; i < 20; i++) {
            tree.file("good" + i + "/file", 1);
            tree.directory("dead" + i % 3);
        }
        List<CountDownLatch> latches = Stream.of("dead0", "dead1", "dead2").map(name -> calls.hang(tree.at(name)))
                .toList();
        ScanReport report = scanner.scan(all().withPatience(Duration.ofMillis(100)), seen);
        assertThat(report.counts().files()).isEqualTo(20);
        assertThat(report.cancelled()).isFalse();
        assertThat(report.isWhole()).isFalse();
        assertThat(report.problems()).hasSize(3).extracting(Problem::kind).containsOnly(Problem.Kind.HANGING);
        assertThat(seen.skipped(tree.at("dead1")).reason()).isEqualTo(Visit.Reason.HANGING);
        assertThat(report.hanging()).hasSize(3);
        latches.forEach(CountDownLatch::countDown);
        await().until(() -> scanner.stranded() == 0);
        assertThat(seen.twice()).isEmpty();
    }

    @Test
    void scan_whenAnotherOneHangs_isNotStopped() throws Exception {
        tree.directory("dead");
        tree.file("good/file", 1);
        CountDownLatch latch = calls.hang(tree.at("dead"));
        try (Scan hanging = scanner.start(all(), seen)) {
            await().until(() -> calls.inHang() == 1);
            Seen other = new Seen();
            assertThat(scanner.scan(ScanRequest.of(tree.at("good")), other).isWhole()).isTrue();
            latch.countDown();
            assertThat(hanging.await().isWhole()).isTrue();
        }
    }

    @Test
    void start_whenTooManyThreadsHang_isRefused() throws Exception {
        Scanner careful = new Scanner(calls, CLOCK, 1);
        CountDownLatch latch = calls.hang(tree.root);
        Scan scan = careful.start(all(), seen);
        await().until(() -> calls.inHang() == 1);
        scan.cancel();
        scan.await();
        assertThatThrownBy(() -> careful.start(all(), seen)).isInstanceOf(StrandedException.class)
                .hasMessageContaining("storage");
        latch.countDown();
        await().until(() -> careful.stranded() == 0);
        assertThat(careful.scan(all(), seen).isWhole()).isTrue();
    }

    @Test
    void progress_whileScanning_growsAndNamesThePlace() throws Exception {
        for (int i = 0; i < 500; i++) {
            tree.file("a/" + i, 2);
        }
        calls.hang(tree.at("a")).countDown();
        CountDownLatch latch = new CountDownLatch(1);
        try (Scan scan = scanner.start(all(), visit -> {
            if (visit.directory().equals(tree.at("a"))) {
                latch.await();
            }
        })) {
            await().until(() -> scan.progress().at().stream().anyMatch(place -> place.entries() == 500));
            assertThat(scan.progress().counts().directories()).isEqualTo(1);
            latch.countDown();
            assertThat(scan.await().counts().bytes()).isEqualTo(1000);
            assertThat(scan.progress().at()).isEmpty();
        }
    }
}
