package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.FaultyCalls;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.EpochNanos;
import io.entrepot.posix.Errno;
import io.entrepot.posix.Stat;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IncrementalScanTest {
    private static final BootClock CLOCK = BootClock.system();
    /** As if the listing had been made long after all that happened to the tree. */
    private static final long LONG_AFTER = EpochNanos.of(Instant.parse("2200-01-01T00:00:00Z"));
    private static final Rotation NEVER = new Rotation(0, Integer.MAX_VALUE);

    private final FaultyCalls calls = new FaultyCalls();
    private final Scanner scanner = new Scanner(calls, CLOCK);
    @SuppressWarnings("NullAway.Init") // before each test
    private Tree tree;

    @BeforeEach
    void makeTree() throws IOException {
        tree = new Tree();
        for (int i = 0; i < 200; i++) {
            tree.file("a" + i % 2 + "/b" + i % 10 + "/f" + i, i);
        }
    }

    @AfterEach
    void removeTree() throws IOException {
        tree.close();
    }

    private Map<BytePath, Remembered> remember(long listedAt) throws Exception {
        Seen first = new Seen();
        scanner.scan(ScanRequest.of(tree.root), first);
        calls.forgetStats();
        return first.remembered(listedAt);
    }

    private ScanReport again(Map<BytePath, Remembered> memory, Rotation rotation, Seen seen) throws Exception {
        return scanner.scan(ScanRequest.of(tree.root)
                .withIncremental(Incremental.of(path -> Optional.ofNullable(memory.get(path)), rotation)), seen);
    }

    @Test
    void scan_whenNothingChanged_looksAtNoFile() throws Exception {
        Seen seen = new Seen();
        ScanReport report = again(remember(LONG_AFTER), NEVER, seen);
        assertThat(calls.stats()).isZero();
        assertThat(report.counts().stats()).isZero();
        assertThat(report.counts().silent()).isEqualTo(13);
        assertThat(report.counts().directories()).isZero();
        assertThat(report.isWhole()).isTrue();
        assertThat(seen.visits().values()).allSatisfy(visit -> assertThat(visit).isInstanceOf(Visit.Silent.class));
        assertThat(seen.visits().get(tree.at("a0/b2"))).isInstanceOfSatisfying(Visit.Silent.class,
                silent -> assertThat(silent.self().isSameFile(self(tree.at("a0/b2")))).isTrue());
    }

    @Test
    void scan_whenADirectoryBelowASilentOneChanged_findsIt() throws Exception {
        Map<BytePath, Remembered> memory = remember(LONG_AFTER);
        tree.file("a1/b3/new", 7);
        Files.delete(tree.path.resolve("a0/b2/f2"));
        Seen seen = new Seen();
        ScanReport report = again(memory, NEVER, seen);
        assertThat(report.counts().directories()).isEqualTo(2);
        assertThat(seen.listing(tree.at("a1/b3")).size()).isEqualTo(21);
        assertThat(seen.listing(tree.at("a0/b2")).size()).isEqualTo(19);
        assertThat(seen.visits().get(tree.at("a1"))).isInstanceOf(Visit.Silent.class);
        assertThat(calls.stats()).isEqualTo(40);
    }

    @Test
    void scan_whenNewDirectoriesCame_readsThem() throws Exception {
        Map<BytePath, Remembered> memory = remember(LONG_AFTER);
        tree.file("a1/new/deep/file", 7);
        Seen seen = new Seen();
        again(memory, NEVER, seen);
        assertThat(seen.listing(tree.at("a1/new/deep")).size()).isEqualTo(1);
    }

    @Test
    void scan_whenTimesWerePutBack_isNotFooled() throws Exception {
        Map<BytePath, Remembered> memory = remember(LONG_AFTER);
        Instant before = Files.getLastModifiedTime(tree.path.resolve("a1/b3")).toInstant();
        tree.file("a1/b3/new", 7);
        tree.age("a1/b3", before);
        Seen seen = new Seen();
        again(memory, NEVER, seen);
        assertThat(seen.listing(tree.at("a1/b3")).size()).isEqualTo(21);
    }

    @Test
    void scan_whenListedTooSoonAfterTheChange_readsAgain() throws Exception {
        Seen first = new Seen();
        StorageClock storage = StorageClock.local(CLOCK, Clock.systemUTC());
        scanner.scan(ScanRequest.of(tree.root), first);
        long listedAt = storage.at(first.listing(tree.root).seen().begin());
        Seen seen = new Seen();
        ScanReport report = again(first.remembered(listedAt), NEVER, seen);
        assertThat(report.counts().silent()).isZero();
        assertThat(report.counts().directories()).isEqualTo(13);
    }

    @Test
    void scan_whenAnotherDirectoryWasMovedHere_readsIt() throws Exception {
        Map<BytePath, Remembered> memory = remember(LONG_AFTER);
        BytePath path = tree.at("a0/b2");
        Remembered real = Optional.ofNullable(memory.get(path)).orElseThrow();
        memory.put(path, new Remembered(real.inode() + 1, real.mtime(), real.ctime(), real.listedAt(),
                real.subdirectories()));
        Seen seen = new Seen();
        again(memory, NEVER, seen);
        assertThat(seen.listing(path).size()).isEqualTo(20);
    }

    @Test
    void scan_afterAWholeRound_hasReadEverySilentDirectoryOnce() throws Exception {
        Map<BytePath, Remembered> memory = remember(LONG_AFTER);
        Set<BytePath> read = new HashSet<>();
        Rotation rotation = new Rotation(3, 4);
        for (int i = 0; i < 4; i++) {
            Seen seen = new Seen();
            ScanReport report = again(memory, rotation, seen);
            assertThat(report.counts().directories() + report.counts().silent()).isEqualTo(13);
            seen.visits().forEach((path, visit) -> {
                if (visit instanceof Visit.Listed) {
                    assertThat(read.add(path)).as("%s read twice", path).isTrue();
                }
            });
            rotation = rotation.next();
        }
        assertThat(read).hasSize(13);
    }

    @Test
    void scan_inEachTurn_looksAtTheFilesOfItsShareOnly() throws Exception {
        Map<BytePath, Remembered> memory = remember(LONG_AFTER);
        Seen seen = new Seen();
        ScanReport report = again(memory, new Rotation(1, 3), seen);
        long entries = seen.visits().values().stream()
                .mapToLong(visit -> visit instanceof Visit.Listed(Listing listing) ? listing.size() : 0).sum();
        assertThat(report.counts().stats()).isEqualTo(entries).isEqualTo(calls.stats());
        assertThat(entries).isBetween(1L, 199L);
    }

    @Test
    void scan_whenFiltered_entersNoneOfTheRememberedThatItShouldNot() throws Exception {
        Map<BytePath, Remembered> memory = remember(LONG_AFTER);
        Seen seen = new Seen();
        scanner.scan(ScanRequest.of(tree.root)
                .withFilter(PathFilter.of(List.of(), List.of("a0"), List.of("a1/b3")))
                .withIncremental(Incremental.of(path -> Optional.ofNullable(memory.get(path)), NEVER)), seen);
        assertThat(seen.visits().keySet()).contains(tree.at("a1/b5")).doesNotContain(tree.at("a0"), tree.at("a1/b3"));
    }

    @Test
    void remembered_whenSomethingWasNotSeen_isNothing() throws Exception {
        calls.cutShort(tree.at("a0/b2"), 3, Errno.EIO);
        calls.failToLook(tree.at("a1/b3/f3"), Errno.EIO);
        Map<BytePath, Remembered> memory = remember(LONG_AFTER);
        assertThat(memory).hasSize(11).doesNotContainKeys(tree.at("a0/b2"), tree.at("a1/b3"));
    }

    private static Stat self(BytePath path) {
        try {
            return Tree.statOf(path);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
