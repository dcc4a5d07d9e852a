package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.Location;
import io.entrepot.pool.Placement;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.LocalBackend;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.MountPools;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the policies make of volumes of different sizes, which on one file system cannot be told apart. */
class VolumeChoiceTest {
    private final MountPools mounts = new MountPools(FileCalls.system(), 2, BootClock.system());
    @SuppressWarnings("NullAway.Init") // before each
    private Backend backend;
    /** Has the most free, and is used for the most part. */
    @SuppressWarnings("NullAway.Init")
    private MountedVolume large;
    /** Has little free, and is hardly used. */
    @SuppressWarnings("NullAway.Init")
    private MountedVolume small;

    @BeforeEach
    void open(@TempDir Path root) throws Exception {
        backend = LocalBackend.open(FileCalls.system(), mounts, root, LocalBackend.Settings.of("v").withCreate(true));
        large = volume(1, "large", root, new Backend.Space(10_000, 1000));
        small = volume(2, "small", root, new Backend.Space(500, 400));
    }

    @AfterEach
    void close() {
        backend.close();
        mounts.close();
    }

    private MountedVolume volume(long number, String name, Path root, Backend.Space space) {
        MountedVolume volume = new MountedVolume(number, name, Location.of(root), 2, 0, Instant.EPOCH,
                VolumeState.ACTIVE);
        volume.works(backend, space);
        return volume;
    }

    private List<MountedVolume> chosen(Placement placement, long bytes) {
        VolumeChoice choice = new VolumeChoice(placement);
        return IntStream.range(0, 3).mapToObj(_ -> {
            try (MountedVolume.Room room = choice.room(List.of(large, small), bytes, List.of())) {
                return room.volume();
            }
        }).toList();
    }

    @Test
    void room_byMostFree_isWhereMostBytesAreAvailable() {
        assertThat(chosen(Placement.MOST_FREE, 1)).containsExactly(large, large, large);
    }

    @Test
    void room_byLeastUsed_isWhereTheSmallestShareIsUsed() {
        assertThat(chosen(Placement.LEAST_USED, 1)).containsExactly(small, small, small);
    }

    @Test
    void room_byTurns_isOnEachInItsTurn() {
        assertThat(chosen(Placement.ROUND_ROBIN, 1)).containsExactly(large, small, large);
    }

    @Test
    void room_whenThePreferredOneHasTooLittle_isOnAnother() {
        assertThat(chosen(Placement.LEAST_USED, 700)).containsExactly(large, large, large);
        assertThat(chosen(Placement.ROUND_ROBIN, 700)).containsExactly(large, large, large);
    }

    @Test
    void find_whenOneWasFoundFull_passesItOver_andRoomTakesItOnlyIfItHasTo() {
        VolumeChoice choice = new VolumeChoice(Placement.MOST_FREE);
        large.full();

        assertThat(choice.find(List.of(large, small), 1, List.of()).orElseThrow().volume()).isEqualTo(small);
        assertThat(choice.find(List.of(large, small), 1, List.of(small))).isEmpty();
        assertThat(choice.room(List.of(large, small), 1, List.of(small)).volume()).isEqualTo(large);
    }
}
