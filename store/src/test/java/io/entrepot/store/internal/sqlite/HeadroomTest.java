package io.entrepot.store.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.store.NotDoneException;
import io.entrepot.store.Room;
import io.entrepot.store.Room.Level;
import io.entrepot.store.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeadroomTest {
    private static final long MIB = 1 << 20;

    @TempDir
    private Path directory;

    private static StoreConfig config() {
        return StoreConfig.of().withHeadroom(16 * MIB);
    }

    /** In KiB. What was short is enough again only when there is a margin. */
    @ParameterizedTest
    @CsvSource({"16384, 16384, ENOUGH, ENOUGH", "16383, 16384, ENOUGH, SHORT", "16384, 16384, SHORT, SHORT",
            "20479, 16384, SHORT, SHORT", "20480, 16384, SHORT, ENOUGH", "20480, 16384, FULL, ENOUGH",
            "256, 16384, ENOUGH, SHORT", "255, 16384, ENOUGH, FULL", "255, 16384, FULL, FULL",
            "256, 16384, FULL, SHORT", "0, 0, ENOUGH, ENOUGH", "0, 0, SHORT, ENOUGH",
            "1024, 9007199254740991, ENOUGH, SHORT", "15, 1024, SHORT, FULL", "16, 1024, FULL, SHORT",
            "1280, 1024, SHORT, ENOUGH"})
    void level_isByWhatIsFreeAndWhatWasBefore(long free, long headroom, Level before, Level expected) {
        assertThat(Headroom.level(free << 10, 0, headroom << 10, before)).isEqualTo(expected);
    }

    @Test
    void room_whileThereIsEnough_isLookedAtOnceInAWhile() {
        AtomicInteger looks = new AtomicInteger();
        Headroom headroom = Headroom.of(directory, config().withSpace(_ -> {
            looks.incrementAndGet();
            return 1L << 40;
        }));
        int before = looks.get();
        long begin = System.nanoTime();
        for (int i = 0; i < 100_000; i++) {
            headroom.requireAny();
            headroom.requireRoom();
        }
        long passed = System.nanoTime() - begin;
        assertThat(looks.get() - before).isLessThanOrEqualTo((int) (passed / 10_000_000) + 1);
    }

    @Test
    void reserve_isGivenBackAtTheFloorAndTakenWhenThereIsRoomForItAboveTheHeadroom() throws Exception {
        Path reserve = directory.resolve(Headroom.FILE);
        AtomicLong others = new AtomicLong();
        Headroom headroom = Headroom.of(directory, config()
                .withSpace(_ -> 100 * MIB - others.get() - (Files.exists(reserve) ? Files.size(reserve) : 0)));
        assertThat(reserve).hasSize(4 * MIB);
        assertThat(headroom.room()).isEqualTo(new Room(Level.ENOUGH, 96 * MIB, 16 * MIB));
        others.set(90 * MIB);
        await(headroom, Level.SHORT);
        assertThat(headroom.room().free()).isEqualTo(6 * MIB);
        assertThat(reserve).exists();
        others.set(96 * MIB);
        assertThat(headroom.room()).isEqualTo(new Room(Level.SHORT, 0, 16 * MIB));
        assertThat(reserve).as("nobody writes").exists();
        headroom.requireAny();
        assertThat(headroom.room()).isEqualTo(new Room(Level.SHORT, 4 * MIB, 16 * MIB));
        assertThat(reserve).doesNotExist();
        others.set(100 * MIB);
        assertThat(headroom.room().level()).isEqualTo(Level.FULL);
        others.set(81 * MIB);
        assertThat(headroom.room()).isEqualTo(new Room(Level.SHORT, 19 * MIB, 16 * MIB));
        assertThat(reserve).doesNotExist();
        others.set(80 * MIB);
        assertThat(headroom.room()).isEqualTo(new Room(Level.ENOUGH, 16 * MIB, 16 * MIB));
        assertThat(reserve).hasSize(4 * MIB);
        headroom.requireRoom();
    }

    @Test
    void reserve_whenThereIsNoRoomForIt_isNotTaken() {
        Headroom headroom = Headroom.of(directory, config().withSpace(_ -> 17 * MIB));
        headroom.requireRoom();
        assertThat(directory).isEmptyDirectory();
        Headroom.of(directory, config().withHeadroom(0)).requireRoom();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void refusals_sayWhatIsLeftAndWhatToDo() {
        Headroom headroom = Headroom.of(directory, config().withSpace(_ -> MIB));
        headroom.requireAny();
        assertThat(refusal(headroom::requireRoom)).isEqualTo("the disk of " + directory + " has 1.0 MiB left, and"
                + " 16.0 MiB are kept for finishing and removing; nothing was changed. Complete or remove something,"
                + " clean up, or free space by other means, and try again");
        assertThat(refusal(Headroom.of(directory, config().withSpace(_ -> 5))::requireAny))
                .isEqualTo("the disk of " + directory + " has 5 bytes left, which is too little to write anything;"
                        + " nothing was changed. Free some space and try again");
    }

    private static String refusal(Runnable call) {
        try {
            call.run();
            throw new AssertionError("it was not refused");
        } catch (NotDoneException e) {
            assertThat(e.code()).isEqualTo("store.disk-full");
            return String.valueOf(e.getMessage());
        }
    }

    private static void await(Headroom headroom, Level level) {
        Awaitility.await().until(() -> headroom.room().level() == level);
    }
}
