package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.EpochNanos;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Stat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RememberedTest {
    private static final Instant LISTED = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration MARGIN = Duration.ofSeconds(2);

    @Test
    void isSilent_whenTimesAreOldAndTheSame() {
        assertThat(silent(ago(5), ago(5))).isTrue();
        assertThat(silent(ago(100_000), ago(3))).isTrue();
    }

    @Test
    void isSilent_whenCtimeIsTooCloseToTheListing_isFalse() {
        assertThat(silent(ago(100), ago(2))).isFalse();
        assertThat(silent(ago(100), ago(0))).isFalse();
        assertThat(silent(ago(100), ago(-50))).as("the storage's clock is ahead of what we think").isFalse();
    }

    @Test
    void isSilent_whenMtimeIsAroundTheListing_isFalse() {
        assertThat(silent(ago(1), ago(5))).isFalse();
        assertThat(silent(ago(-1), ago(5))).isFalse();
    }

    @Test
    void isSilent_whenMtimeWasSetFarIntoTheFuture_isTrue() {
        assertThat(silent(EpochNanos.of(Instant.parse("2200-01-01T00:00:00Z")), ago(5))).isTrue();
        assertThat(silent(Long.MAX_VALUE, ago(5))).isTrue();
        assertThat(silent(Long.MIN_VALUE, ago(5))).isTrue();
    }

    @Test
    void isSilent_whenAnythingDiffers_isFalse() {
        Remembered remembered = new Remembered(7, ago(10), ago(5), EpochNanos.of(LISTED), List.of());
        assertThat(remembered.isSilent(stat(7, ago(10), ago(5)), MARGIN)).isTrue();
        assertThat(remembered.isSilent(stat(8, ago(10), ago(5)), MARGIN)).isFalse();
        assertThat(remembered.isSilent(stat(7, ago(9), ago(5)), MARGIN)).isFalse();
        assertThat(remembered.isSilent(stat(7, ago(10), ago(4)), MARGIN)).isFalse();
    }

    @Test
    void of_whenAFilterLeftSomethingOut_isNothing(@TempDir Path directory) throws Exception {
        Files.createFile(directory.resolve("a.txt"));
        Files.createFile(directory.resolve("b.tmp"));
        ScanRequest all = ScanRequest.of(BytePath.of(directory.toRealPath()));
        assertThat(remembered(all)).isPresent();
        assertThat(remembered(all.withFilter(PathFilter.of(List.of("*.txt"), List.of(), List.of())))).isEmpty();
    }

    private static Optional<Remembered> remembered(ScanRequest request) throws Exception {
        List<Remembered> remembered = new CopyOnWriteArrayList<>();
        new Scanner(FileCalls.system(), BootClock.system()).scan(request, visit -> {
            if (visit instanceof Visit.Listed(Listing listing)) {
                Remembered.of(listing, EpochNanos.of(LISTED)).ifPresent(remembered::add);
            }
        });
        return remembered.stream().findFirst();
    }

    @Test
    void storageClock_tellsTheTimeOfAMomentPast() {
        StorageClock clock = new StorageClock(() -> 5_000_000_000L, () -> LISTED, Duration.ofMinutes(-1));
        assertThat(EpochNanos.toInstant(clock.at(2_000_000_000L))).isEqualTo(LISTED.minusSeconds(63));
    }

    private static boolean silent(long mtime, long ctime) {
        return new Remembered(7, mtime, ctime, EpochNanos.of(LISTED), List.of()).isSilent(stat(7, mtime, ctime),
                MARGIN);
    }

    private static long ago(long seconds) {
        return EpochNanos.of(LISTED.minusSeconds(seconds));
    }

    private static Stat stat(long inode, long mtime, long ctime) {
        return new Stat(FileType.DIRECTORY, 0, 2, 0, 0, 0, inode, 1, OptionalLong.empty(), mtime, ctime,
                OptionalLong.empty());
    }
}
