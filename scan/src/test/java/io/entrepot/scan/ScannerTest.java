package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.lab.FaultyCalls;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScannerTest {
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

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void scan_whenTreeIsQuiet_seesEverythingOnce(int threads) throws Exception {
        SortedSet<String> made = new TreeSet<>();
        for (int i = 0; i < 300; i++) {
            String directory = "a" + i % 3 + "/b" + i % 7 + "/c" + i;
            tree.file(directory + "/file", i);
        }
        try (Stream<Path> walk = Files.walk(tree.path)) {
            walk.filter(path -> !path.equals(tree.path))
                    .forEach(path -> made.add(tree.path.relativize(path).toString()));
        }
        ScanReport report = scanner.scan(all().withThreads(threads), seen);
        assertThat(seen.paths(tree.root)).isEqualTo(made);
        assertThat(seen.twice()).isEmpty();
        assertThat(report.isWhole()).isTrue();
        assertThat(report.counts().files()).isEqualTo(300);
        assertThat(report.counts().bytes()).isEqualTo(300 * 299 / 2);
        assertThat(report.counts().directories()).isEqualTo(report.counts().subdirectories() + 1);
        assertThat(report.counts().entries()).isEqualTo(made.size());
        assertThat(report.counts().stats()).isEqualTo(calls.stats()).isEqualTo(made.size());
    }

    @Test
    void scan_withJavaNio_seesTheSame() throws Exception {
        tree.file("a/b/c", 3);
        tree.file("a/d", 4);
        Seen other = new Seen();
        new Scanner(FileCalls.nio(), CLOCK).scan(all(), other);
        scanner.scan(all(), seen);
        assertThat(other.paths(tree.root)).isEqualTo(seen.paths(tree.root)).contains("a/b/c");
    }

    @Test
    void sink_seesADirectoryBeforeThoseBelow() throws Exception {
        for (int i = 0; i < 200; i++) {
            tree.directory("a" + i % 5 + "/b" + i % 11 + "/c" + i);
        }
        AtomicReference<String> early = new AtomicReference<>("");
        scanner.scan(all().withThreads(4), visit -> {
            BytePath parent = visit.directory().parent().orElseThrow();
            if (!visit.directory().equals(tree.root) && !seen.visits().containsKey(parent)) {
                early.set(visit.directory().toString());
            }
            seen.accept(visit);
        });
        assertThat(early.get()).isEmpty();
    }

    @Test
    void listing_saysWhenAndWhatTheDirectoryWas() throws Exception {
        tree.file("a/file", 5);
        long before = CLOCK.nanos();
        scanner.scan(all(), seen);
        Listing listing = seen.listing(tree.at("a"));
        assertThat(listing.seen().begin()).isBetween(before, CLOCK.nanos());
        assertThat(listing.seen().end()).isBetween(listing.seen().begin(), CLOCK.nanos());
        assertThat(listing.self().isSameFile(Tree.statOf(tree.at("a")))).isTrue();
        assertThat(listing.entry(0).size()).isEqualTo(5);
    }

    @Test
    void listing_whenCutShortByAnError_isNeverComplete() throws Exception {
        for (int i = 0; i < 10; i++) {
            tree.file("a/file" + i, 1);
        }
        tree.file("b/file", 1);
        calls.cutShort(tree.at("a"), 4, Errno.EIO);
        ScanReport report = scanner.scan(all(), seen);
        Listing listing = seen.listing(tree.at("a"));
        assertThat(listing.isComplete()).isFalse();
        assertThat(listing.failure()).isEqualTo(Errno.EIO);
        assertThat(listing.size()).isEqualTo(4);
        assertThat(seen.listing(tree.at("b")).isComplete()).isTrue();
        assertThat(report.isWhole()).isFalse();
        assertThat(report.problems())
                .containsExactly(new Problem(tree.at("a"), Problem.Kind.CUT_SHORT, Errno.EIO));
    }

    @Test
    void listing_whenCutShort_stillLeadsToTheDirectoriesItHas() throws Exception {
        tree.file("a/b/file", 1);
        calls.cutShort(tree.at("a"), 1, Errno.EIO);
        scanner.scan(all(), seen);
        assertThat(seen.listing(tree.at("a/b")).size()).isEqualTo(1);
    }

    @Test
    void scan_whenADirectoryIsUnreadable_goesOnWithoutIt() throws Exception {
        tree.file("secret/file", 1);
        tree.file("open/file", 1);
        calls.failToOpen(tree.at("secret"), Errno.EACCES);
        ScanReport report = scanner.scan(all(), seen);
        assertThat(seen.skipped(tree.at("secret")).reason()).isEqualTo(Visit.Reason.UNREADABLE);
        assertThat(seen.skipped(tree.at("secret")).errno()).isEqualTo(Errno.EACCES);
        assertThat(seen.listing(tree.at("open")).size()).isEqualTo(1);
        assertThat(report.problems())
                .containsExactly(new Problem(tree.at("secret"), Problem.Kind.UNREADABLE, Errno.EACCES));
        assertThat(report.isWhole()).isFalse();
    }

    @Test
    void scan_whenADirectoryVanishes_countsItAndIsStillWhole() throws Exception {
        tree.directory("a/b");
        calls.beforeOpen(tree.at("a/b"), () -> delete(tree.path.resolve("a/b")));
        ScanReport report = scanner.scan(all(), seen);
        assertThat(seen.skipped(tree.at("a/b")).reason()).isEqualTo(Visit.Reason.VANISHED);
        assertThat(report.counts().vanished()).isEqualTo(1);
        assertThat(report.isWhole()).isTrue();
    }

    @Test
    void scan_whenADirectoryIsReplacedByALink_doesNotFollowIt() throws Exception {
        tree.directory("a/b");
        try (Tree elsewhere = new Tree()) {
            elsewhere.file("stranger", 1);
            calls.beforeOpen(tree.at("a/b"), () -> {
                delete(tree.path.resolve("a/b"));
                link(tree.path.resolve("a/b"), elsewhere.path);
            });
            scanner.scan(all(), seen);
        }
        assertThat(seen.skipped(tree.at("a/b")).reason()).isEqualTo(Visit.Reason.VANISHED);
    }

    @Test
    void scan_whenAnEntryVanishes_leavesItOut() throws Exception {
        tree.file("a/gone", 1);
        tree.file("a/there", 1);
        calls.failToLook(tree.at("a/gone"), Errno.ENOENT);
        ScanReport report = scanner.scan(all(), seen);
        assertThat(seen.paths(tree.root)).containsExactly("a", "a/there");
        assertThat(report.counts().vanished()).isEqualTo(1);
        assertThat(report.isWhole()).isTrue();
    }

    @Test
    void scan_whenAnEntryCannotBeLookedAt_reportsItsName() throws Exception {
        tree.file("a/broken", 1);
        calls.failToLook(tree.at("a/broken"), Errno.EIO);
        ScanReport report = scanner.scan(all(), seen);
        Entry entry = seen.listing(tree.at("a")).entry(0);
        assertThat(entry.isKnown()).isFalse();
        assertThat(entry.failure()).isEqualTo(Errno.EIO);
        assertThat(report.problems())
                .containsExactly(new Problem(tree.at("a/broken"), Problem.Kind.UNKNOWN, Errno.EIO));
    }

    @Test
    void scan_whenThereIsASymlink_reportsAndDoesNotFollowIt() throws Exception {
        tree.directory("a");
        link(tree.path.resolve("a/up"), tree.path);
        link(tree.path.resolve("a/dangling"), Path.of("nowhere"));
        ScanReport report = scanner.scan(all(), seen);
        assertThat(seen.paths(tree.root)).containsExactly("a", "a/dangling", "a/up");
        assertThat(seen.listing(tree.at("a")).entries()).extracting(Entry::type).containsOnly(FileType.SYMLINK);
        assertThat(report.counts().symlinks()).isEqualTo(2);
    }

    @Test
    void scan_whenTheRootIsNoDirectory_throws() throws Exception {
        tree.file("file", 1);
        assertThatThrownBy(() -> scanner.scan(ScanRequest.of(tree.at("none")), seen))
                .isInstanceOfSatisfying(PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
        assertThatThrownBy(() -> scanner.scan(ScanRequest.of(tree.at("file")), seen))
                .isInstanceOfSatisfying(PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOTDIR));
        assertThat(seen.visits()).isEmpty();
    }

    @Test
    void scan_whenSomethingIsMountedInside_doesNotCrossUnlessAsked() throws Exception {
        tree.file("outer/file", 1);
        Path point = tree.directory("outer/mounted");
        assumeTrue(mount("-t", "tmpfs", "tmpfs", point.toString()), "only root mounts");
        try {
            Files.writeString(point.resolve("inside"), "x");
            ScanReport report = scanner.scan(all(), seen);
            assertThat(seen.skipped(tree.at("outer/mounted")).reason()).isEqualTo(Visit.Reason.MOUNT_POINT);
            assertThat(report.counts().mountPoints()).isEqualTo(1);
            assertThat(report.isWhole()).isTrue();
            Seen across = new Seen();
            scanner.scan(all().withCrossMounts(true), across);
            assertThat(across.listing(tree.at("outer/mounted")).size()).isEqualTo(1);
        } finally {
            unmount(point);
        }
    }

    @Test
    void scan_whenTheTreeIsMountedInsideItself_doesNotLoop() throws Exception {
        tree.file("a/file", 1);
        Path point = tree.directory("a/again");
        assumeTrue(mount("--bind", tree.path.toString(), point.toString()), "only root mounts");
        try {
            scanner.scan(all(), seen);
            assertThat(seen.skipped(tree.at("a/again")).reason()).isEqualTo(Visit.Reason.MOUNT_POINT);
            Seen across = new Seen();
            ScanReport report = scanner.scan(all().withCrossMounts(true), across);
            assertThat(across.skipped(tree.at("a/again")).reason()).isEqualTo(Visit.Reason.LOOP);
            assertThat(report.counts().files()).isEqualTo(1);
        } finally {
            unmount(point);
        }
    }

    @Test
    void scan_whenPathsAreLongerThanTheKernelTakes_seesThem() throws Exception {
        assumeTrue(calls.can(Capability.LONG_PATHS));
        Name name = Name.of("d".repeat(200));
        tree.chain(name, 60);
        ScanReport report = scanner.scan(all(), seen);
        assertThat(report.counts().subdirectories()).isEqualTo(60);
        assertThat(report.isWhole()).isTrue();
        assertThat(seen.visits().keySet().stream().mapToInt(BytePath::length).max().orElseThrow())
                .isGreaterThan(12_000);
    }

    @Test
    void scan_whenDeeperThanDirectoriesMayBeOpen_opensThemAgain() throws Exception {
        Name name = Name.of("d");
        int depth = 4 * Frames.MOST_HELD;
        tree.chain(name, depth);
        Directory directory = FileCalls.system().openDirectory(tree.root);
        for (int i = 0; i < depth; i++) {
            directory.makeDirectory(Name.of("side"));
            directory.makeDirectory(Name.of("z"));
            Directory next = directory.open(name);
            directory.close();
            directory = next;
        }
        directory.close();
        ScanReport report = scanner.scan(all(), seen);
        assertThat(report.counts().directories()).isEqualTo(3L * depth + 1);
        assertThat(report.isWhole()).isTrue();
        assertThat(report.counts().vanished()).isZero();
        assertThat(calls.mostOpen()).isLessThan(Frames.MOST_HELD + 10);
    }

    @Test
    void scan_whenADirectoryHasAHundredThousandEntries_listsItAsOne() throws Exception {
        for (int i = 0; i < 100_000; i++) {
            Files.createFile(tree.path.resolve("file" + i));
        }
        ScanReport report = new Scanner(FileCalls.system(), CLOCK).scan(all(), seen);
        assertThat(seen.listing(tree.root).size()).isEqualTo(100_000);
        assertThat(seen.listing(tree.root).isComplete()).isTrue();
        assertThat(report.counts().files()).isEqualTo(100_000);
    }

    @Test
    void scan_whenNamesAreNotText_seesThemAsTheyAre() throws Exception {
        assumeTrue(calls.can(Capability.RAW_NAMES));
        Name odd = Name.of(new byte[]{'a', '\n', (byte) 0xff, (byte) 0xc3, 'b'});
        try (Directory root = FileCalls.system().openDirectory(tree.root)) {
            root.makeDirectory(odd);
            try (Directory inner = root.open(odd)) {
                inner.create(Name.of(new byte[]{(byte) 0x80})).close();
            }
        }
        scanner.scan(all().withFilter(PathFilter.of(List.of("?"), List.of(), List.of())), seen);
        assertThat(seen.listing(tree.root).name(0)).isEqualTo(odd);
        assertThat(seen.listing(tree.root.resolve(odd)).name(0)).isEqualTo(Name.of(new byte[]{(byte) 0x80}));
    }

    @Test
    void filter_leavesOutAndSaysSo() throws Exception {
        tree.file("a/keep.txt", 1);
        tree.file("a/drop.tmp", 1);
        tree.file("a/other", 1);
        tree.file("cache/x.txt", 1);
        PathFilter filter = PathFilter.of(List.of("*.txt", "*.tmp"), List.of("*.tmp", "/cache"), List.of());
        ScanReport report = scanner.scan(all().withFilter(filter), seen);
        assertThat(seen.paths(tree.root)).containsExactly("a", "a/keep.txt");
        assertThat(seen.listing(tree.at("a")).isComplete()).isFalse();
        assertThat(seen.listing(tree.at("a")).omitted()).isEqualTo(2);
        assertThat(seen.listing(tree.at("a")).failure()).isEqualTo(Errno.NONE);
        assertThat(report.counts().omitted()).isEqualTo(3);
        assertThat(report.isWhole()).isTrue();
        assertThat(calls.stats()).as("what is left out is not looked at").isEqualTo(2);
        assertThat(filter.selects(BytePath.of("a/keep.txt"), FileType.FILE)).isTrue();
        assertThat(filter.selects(BytePath.of("a/drop.tmp"), FileType.FILE)).isFalse();
        assertThat(filter.selects(BytePath.of("cache/x.txt"), FileType.FILE)).isFalse();
    }

    @Test
    void prune_reportsAndDoesNotEnter() throws Exception {
        tree.file("a/node_modules/x", 1);
        tree.file("a/b/y", 1);
        ScanReport report = scanner.scan(
                all().withFilter(PathFilter.of(List.of(), List.of(), List.of("node_modules"))), seen);
        assertThat(seen.paths(tree.root)).containsExactly("a", "a/b", "a/b/y", "a/node_modules");
        assertThat(seen.listing(tree.at("a")).isComplete()).isTrue();
        assertThat(report.counts().pruned()).isEqualTo(1);
    }

    @Test
    void depth_limitsWhatIsReported() throws Exception {
        tree.file("a/b/c", 1);
        scanner.scan(all().withMaxDepth(1), seen);
        assertThat(seen.paths(tree.root)).containsExactly("a");
        Seen two = new Seen();
        scanner.scan(all().withMaxDepth(2), two);
        assertThat(two.paths(tree.root)).containsExactly("a", "a/b");
    }

    @Test
    void directoriesOnly_looksAtNoFile() throws Exception {
        tree.file("a/b/c", 1);
        tree.file("a/d", 1);
        scanner.scan(all().withDirectoriesOnly(true), seen);
        assertThat(seen.paths(tree.root)).containsExactly("a", "a/b");
        assertThat(calls.stats()).isEqualTo(2);
        assertThat(seen.listing(tree.at("a")).isComplete()).isFalse();
    }

    @Test
    void rate_holdsForAllThreadsTogether() throws Exception {
        for (int i = 0; i < 300; i++) {
            tree.file("a" + i % 3 + "/" + i, 1);
        }
        long[] slow = {0};
        // Each look at the clock is worth a tenth of a second.
        BootClock clock = () -> {
            synchronized (slow) {
                return slow[0] += 100_000_000L;
            }
        };
        ScanReport report = new Scanner(calls, clock).scan(all().withThreads(3).withEntriesPerSecond(10), seen);
        assertThat(report.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
        assertThat(report.counts().entries()).isEqualTo(303);
    }

    @Test
    void threads_areNeverMoreThanAsked() throws Exception {
        for (int i = 0; i < 50; i++) {
            tree.directory("a" + i);
        }
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        scanner.scan(all().withThreads(3), _ -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            now.decrementAndGet();
        });
        assertThat(most.get()).isBetween(1, 3);
    }

    @Test
    void sink_whenItIsSlow_holdsTheScanBack() throws Exception {
        for (int i = 0; i < 100; i++) {
            tree.directory("a" + i);
        }
        BlockingQueue<Visit> taken = new SynchronousQueue<>();
        try (Scan scan = scanner.start(all(), taken::put)) {
            taken.take();
            taken.take();
            await().until(() -> scan.progress().at().size() == 2);
            assertThat(scan.progress().counts().directories()).isLessThanOrEqualTo(3);
            for (int i = 2; i < 101; i++) {
                taken.take();
            }
            assertThat(scan.await().isWhole()).isTrue();
        }
    }

    @Test
    void scan_whenTheSinkThrows_throwsThat() throws Exception {
        tree.file("a/b", 1);
        assertThatThrownBy(() -> scanner.scan(all(), _ -> {
            throw new IllegalStateException("full");
        })).isInstanceOf(IllegalStateException.class).hasMessage("full");
    }

    @Test
    void scan_whateverTheTreeDoes_ends() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        Thread vandal = Thread.ofPlatform().start(() -> {
            for (int i = 0; !enough.get(); i++) {
                try {
                    Path from = tree.directory("a" + i % 5 + "/b" + i % 7 + "/c");
                    Files.move(from.getParent(), tree.path.resolve("moved" + i));
                    delete(tree.path.resolve("moved" + i + "/c"));
                    delete(tree.path.resolve("moved" + i));
                } catch (IOException e) {
                    // What one thread moved away the other finds gone.
                }
            }
        });
        try {
            for (int i = 0; i < 100; i++) {
                ScanReport report = scanner.scan(all(), new Seen());
                assertThat(report.problems()).isEmpty();
            }
        } finally {
            enough.set(true);
            vandal.join();
        }
    }

    private static boolean mount(String... arguments) throws Exception {
        return run(Stream.concat(Stream.of("mount"), Stream.of(arguments)).toList()) == 0;
    }

    private static void unmount(Path point) throws Exception {
        assertThat(run(List.of("umount", "-l", point.toString()))).isZero();
    }

    private static int run(List<String> command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void link(Path from, Path to) {
        try {
            Files.createSymbolicLink(from, to);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
