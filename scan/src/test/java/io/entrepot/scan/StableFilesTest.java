package io.entrepot.scan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.scan.Fact.Cause;
import io.entrepot.scan.Stability.NotYet;
import io.entrepot.scan.Stability.Stable;
import io.entrepot.scan.Stability.Why;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StableFilesTest {
    private static final BytePath FILE = BytePath.of("/in/a.csv");
    private static final long SECOND = 1_000_000_000L;

    private final StableRule rule = StableRule.DEFAULT;
    private StableFiles stable = new StableFiles(rule);

    private static Entry entry(long size, long mtime) {
        return entry(7, size, mtime, mtime);
    }

    private static Entry entry(long inode, long size, long mtime, long ctime) {
        return new Entry(Name.of("a.csv"), FileType.FILE, Errno.NONE, inode, 1, 1, size, mtime, ctime);
    }

    private static Interval at(double second) {
        return new Interval((long) (second * SECOND), (long) (second * SECOND) + 1000);
    }

    private Stability look(Entry entry, double second) {
        return stable.looked(FILE, entry, at(second), Optional.empty());
    }

    private void hear(Entry entry, double second, Cause cause) {
        stable.heard(new Fact.Present(FILE, entry, at(second), cause));
    }

    private static Why why(Stability stability) {
        return ((NotYet) stability).why();
    }

    @Test
    void looked_whenUnchangedLongEnoughBetweenTwoLooks_isStable() {
        assertThat(why(look(entry(10, 0), 0))).isEqualTo(Why.FRESH);
        assertThat(why(look(entry(10, 0), 4.9))).isEqualTo(Why.FRESH);
        assertThat(look(entry(10, 0), 5.1)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenOnlySeenOnce_isNotStableHoweverOldItsTimesAre() {
        assertThat(why(look(entry(10, 0), 1_000_000))).isEqualTo(Why.FRESH);
    }

    @Test
    void looked_whenItGrowsWithOldTimes_waitsAnew() {
        look(entry(10, 0), 0);
        assertThat(why(look(entry(20, 0), 6))).isEqualTo(Why.FRESH);
        assertThat(why(look(entry(30, 0), 12))).isEqualTo(Why.FRESH);
        assertThat(look(entry(30, 0), 18)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenOnlyTheChangeTimeDiffers_waitsAnew() {
        look(entry(7, 10, 0, 0), 0);
        assertThat(why(look(entry(7, 10, 0, 99), 6))).isEqualTo(Why.FRESH);
    }

    @Test
    void looked_whenAnotherFileTookItsPlace_waitsAnew() {
        look(entry(7, 10, 0, 0), 0);
        assertThat(why(look(entry(8, 10, 0, 0), 6))).isEqualTo(Why.FRESH);
    }

    @Test
    void looked_whenOneLookTookLong_countsOnlyTheTimeBetweenLooks() {
        stable.looked(FILE, entry(10, 0), new Interval(0, 4 * SECOND), Optional.empty());
        assertThat(why(look(entry(10, 0), 8))).isEqualTo(Why.FRESH);
        assertThat(look(entry(10, 0), 9.1)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenAnEarlierLookIsToldLater_doesNotGoBack() {
        look(entry(10, 0), 0);
        look(entry(10, 0), 6);
        assertThat(look(entry(10, 0), 3)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenYoungerThanAsked_waits() {
        stable = new StableFiles(rule.withAge(Duration.ofSeconds(20)));
        look(entry(10, 0), 0);
        Stability young = look(entry(10, 0), 6);
        assertThat(why(young)).isEqualTo(Why.YOUNG);
        assertThat(((NotYet) young).lookAt()).isEqualTo(20 * SECOND + 1000);
        assertThat(look(entry(10, 0), 20.1)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenWrittenAndNotClosed_waitsForTheClose() {
        hear(entry(0, 0), 0, Cause.CREATED);
        hear(entry(10, 1), 1, Cause.MODIFIED);
        assertThat(why(look(entry(10, 1), 60))).isEqualTo(Why.OPEN);
        hear(entry(10, 1), 61, Cause.CLOSED);
        assertThat(why(look(entry(10, 1), 63))).isEqualTo(Why.FRESH);
        assertThat(look(entry(10, 1), 67)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenMadeAndStillEmpty_waitsForTheClose() {
        hear(entry(0, 0), 0, Cause.CREATED);
        assertThat(why(look(entry(0, 0), 60))).isEqualTo(Why.OPEN);
    }

    @Test
    void looked_whenLinkedHere_waitsForNoClose() {
        hear(entry(10, 0), 0, Cause.CREATED);
        assertThat(look(entry(10, 0), 6)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenNeverClosedButUnchangedForVeryLong_isStable() {
        hear(entry(10, 0), 0, Cause.MODIFIED);
        assertThat(why(look(entry(10, 0), 599))).isEqualTo(Why.OPEN);
        assertThat(look(entry(10, 0), 601)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenACloseMayHaveBeenMissed_waitsUntilNobodyCanBeWriting() {
        hear(entry(10, 0), 0, Cause.MODIFIED);
        stable.heard(new Fact.Rescan(BytePath.of("/in"), Fact.Reason.OVERFLOW));
        assertThat(why(look(entry(10, 0), 6))).isEqualTo(Why.OPEN);
        assertThat(look(entry(10, 0), 601)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenChangesAreOnlyFoundByLooking_waitsForNoClose() {
        hear(entry(0, 0), 0, Cause.FOUND_CHANGED);
        hear(entry(10, 1), 2, Cause.FOUND_CHANGED);
        assertThat(why(look(entry(10, 1), 6))).isEqualTo(Why.FRESH);
        assertThat(look(entry(10, 1), 8)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenAnotherFileTookItsPlace_isAsYoungAsThat() {
        stable = new StableFiles(rule.withAge(Duration.ofSeconds(20)));
        look(entry(7, 10, 0, 0), 0);
        look(entry(8, 10, 0, 0), 60);
        assertThat(why(look(entry(8, 10, 0, 0), 66))).isEqualTo(Why.YOUNG);
    }

    @Test
    void looked_whenWrittenWithoutAVisibleChange_waitsAnew() {
        look(entry(10, 0), 0);
        hear(entry(10, 0), 4, Cause.MODIFIED);
        hear(entry(10, 0), 4.1, Cause.CLOSED);
        assertThat(why(look(entry(10, 0), 8))).isEqualTo(Why.FRESH);
        assertThat(look(entry(10, 0), 9.2)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenAnotherFileWasMovedHere_beginsAnew() {
        hear(entry(7, 10, 0, 0), 0, Cause.MODIFIED);
        hear(entry(8, 10, 0, 0), 1, Cause.MOVED_HERE);
        assertThat(look(entry(8, 10, 0, 0), 7)).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenAMarkerIsAsked_waitsForOneThatIsNotOlder() {
        stable = new StableFiles(rule.withMarker(".done"));
        look(entry(10, 50), 0);
        assertThat(why(look(entry(10, 50), 6))).isEqualTo(Why.NO_MARKER);
        assertThat(why(stable.looked(FILE, entry(10, 50), at(7), Optional.of(entry(0, 49))))).isEqualTo(Why.OLD_MARKER);
        assertThat(stable.looked(FILE, entry(10, 50), at(8), Optional.of(entry(0, 50)))).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenTheMarkerIsAllThatIsAsked_isStableAtTheFirstLook() {
        stable = new StableFiles(rule.withMarker(".done").withQuiet(Duration.ZERO));
        assertThat(stable.looked(FILE, entry(10, 50), at(0), Optional.of(entry(0, 50)))).isInstanceOf(Stable.class);
    }

    @Test
    void looked_whenItIsNoFile_isNotStableAndForgotten() {
        look(entry(10, 0), 0);
        Entry directory = new Entry(Name.of("a.csv"), FileType.DIRECTORY, Errno.NONE, 7, 1, 1, 10, 0, 0);
        assertThat(why(look(directory, 6))).isEqualTo(Why.UNSEEN);
        assertThat(stable.size()).isZero();
    }

    @Test
    void rule_whenNothingIsAsked_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> rule.withQuiet(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> rule.withQuiet(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> rule.withMarker("a/b"));
    }

    @Test
    void due_tellsWhatIsWorthALookAndWhen() {
        look(entry(10, 0), 0);
        assertThat(stable.nextDue()).hasValue(5 * SECOND + 1000);
        assertThat(stable.due(5 * SECOND, 10)).isEmpty();
        assertThat(stable.due(6 * SECOND, 10)).containsExactly(FILE);
        assertThat(stable.due(6 * SECOND, 0)).isEmpty();
    }

    @Test
    void due_whenTheMarkerComes_isAtOnce() {
        stable = new StableFiles(rule.withMarker(".done"));
        look(entry(10, 0), 0);
        look(entry(10, 0), 100);
        assertThat(stable.due(100 * SECOND + 5000, 10)).isEmpty();
        Entry marker = new Entry(Name.of("a.csv.done"), FileType.FILE, Errno.NONE, 9, 1, 1, 0, 0, 0);
        stable.heard(new Fact.Present(BytePath.of("/in/a.csv.done"), marker, at(100), Cause.CREATED));
        assertThat(stable.due(100 * SECOND + 5000, 10)).containsExactly(FILE);
    }

    @Test
    void heard_whenADirectoryIsGone_forgetsWhatWasInIt() {
        look(entry(10, 0), 0);
        stable.heard(new Fact.Absent(BytePath.of("/in"), at(1), Cause.DELETED));
        assertThat(stable.size()).isZero();
        assertThat(stable.nextDue()).isEmpty();
    }

    @Test
    void heard_whenADirectoryIsGone_keepsThoseBesideIt() {
        for (String path : List.of("/in/a/f", "/in/a!/f", "/in/a/b/f", "/in/a/b/c/f", "/in/a0/f", "/in/f")) {
            Entry file = new Entry(Name.of("f"), FileType.FILE, Errno.NONE, path.length(), 1, 1, 0, 0, 0);
            stable.looked(BytePath.of(path), file, at(0), Optional.empty());
        }
        stable.heard(new Fact.Absent(BytePath.of("/in/a"), at(1), Cause.DELETED));
        assertThat(stable.due(100 * SECOND, 10)).containsExactlyInAnyOrder(BytePath.of("/in/a!/f"),
                BytePath.of("/in/a0/f"), BytePath.of("/in/f"));
    }

    /** With real files: a copy that keeps the old times, while it grows. */
    @Test
    void listed_whileAnOldFileIsCopiedSlowly_isNotStable(@TempDir Path directory) throws IOException {
        long[] now = {0};
        Path file = directory.resolve("old.csv");
        Name name = Name.of("old.csv");
        try (Lister lister = new Lister(FileCalls.system(), () -> now[0])) {
            for (int i = 0; i < 5; i++) {
                Files.writeString(file, "more\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2001-01-01T00:00:00Z")));
                now[0] += 6 * SECOND;
                assertThat(listed(lister, directory).get(name)).isInstanceOf(NotYet.class);
            }
            now[0] += 6 * SECOND;
            assertThat(listed(lister, directory).get(name)).isInstanceOf(Stable.class);
            Files.delete(file);
            assertThat(listed(lister, directory)).isEmpty();
            assertThat(stable.size()).isZero();
        }
    }

    @Test
    void listed_whenAMarkerIsAsked_takesTheMarkerForNoFile(@TempDir Path directory) throws IOException {
        stable = new StableFiles(rule.withMarker(".done").withQuiet(Duration.ZERO));
        Files.writeString(directory.resolve("a"), "complete", UTF_8);
        Files.writeString(directory.resolve("b"), "not yet", UTF_8);
        Files.createFile(directory.resolve("a.done"));
        try (Lister lister = new Lister(FileCalls.system(), () -> 0)) {
            Map<Name, Stability> judged = listed(lister, directory);
            assertThat(judged).containsOnlyKeys(Name.of("a"), Name.of("b"));
            assertThat(judged.get(Name.of("a"))).isInstanceOf(Stable.class);
            assertThat(judged.get(Name.of("b"))).isInstanceOfSatisfying(NotYet.class,
                    b -> assertThat(b.why()).isEqualTo(Why.NO_MARKER));
        }
    }

    private Map<Name, Stability> listed(Lister lister, Path directory) throws IOException {
        return stable.listed(lister.list(BytePath.of(directory), Freshness.UNCACHED));
    }
}
