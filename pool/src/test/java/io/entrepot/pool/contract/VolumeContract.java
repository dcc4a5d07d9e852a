package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FilePage;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Placement;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeNotFoundException;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.metrics.PoolMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Volumes while the pool runs: they come and go, are full, away and back. How much is free is told apart by their headroom. */
abstract class VolumeContract extends PoolContract {
    private static final long MUCH = 256L << 20;

    VolumeContract(PoolFixture fixture) {
        super(fixture);
    }

    private VolumeSpec spec(String name) {
        return VolumeSpec.of(name, directory.resolve(name)).withHeadroom(0);
    }

    private VolumeInfo volume(String name) {
        return pool.volumes().get(name);
    }

    private String volumeOf(FileKey key) {
        return pool.files().get(ACME, key).volume();
    }

    private List<String> volumesOf(int files) {
        return IntStream.range(0, files).mapToObj(_ -> {
            try {
                return volumeOf(write(ACME, "x"));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }).toList();
    }

    @Test
    void mount_whileThePoolRuns_takesFilesFromThenOnAndAfterARestart() throws Exception {
        FileKey before = write(ACME, "before");
        pool.volumes().mount(spec("second").withDepth(0));
        pool.volumes().setReadOnly("main");
        FileKey after = write(ACME, "after");

        reopen();

        assertThat(pool.volumes().list()).extracting(VolumeInfo::name, VolumeInfo::state, VolumeInfo::files)
                .containsExactly(tuple("main", VolumeState.READ_ONLY, 1L),
                        tuple("second", VolumeState.ACTIVE, 1L));
        assertThat(volumeOf(after)).isEqualTo("second");
        assertThat(read(ACME, before)).isEqualTo("before");
        assertThat(read(ACME, after)).isEqualTo("after");
        assertThat(pool.files().get(ACME, after).path().orElseThrow())
                .hasParent(directory.resolve("second").resolve("acme").toRealPath());
        assertThat(events()).contains("volume.mounted", "volume.read-only");
    }

    @Test
    void mount_whenThereIsOneOrOneWithin_isRefused() throws Exception {
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.volumes().mount(spec("main")));
        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> pool.volumes().mount(VolumeSpec.of("inner", directory.resolve("files/inner"))));
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertRefused(StorageVolumeUnavailableException.class, "pool.volume-unavailable",
                () -> pool.volumes().mount(VolumeSpec.of("none", file)));

        assertThat(pool.volumes().list()).extracting(VolumeInfo::name).containsExactly("main");
        pool.volumes().mount(spec("none"));
    }

    @Test
    void unmount_whenItHasFilesOrUploads_isRefusedAndItGoesOn() throws Exception {
        pool.volumes().mount(spec("second"));
        pool.volumes().setReadOnly("main");
        FileKey key = write(ACME, "x");
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.volumes().unmount("second"));
        pool.work().complete(claim(ACME).lease());
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed());
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.volumes().unmount("second"));
        pool.uploads().cancel(ACME, upload);
        Acting meanwhile = new Acting(() -> {
            assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                    () -> pool.volumes().unmount("second"));
            return 1;
        });
        pool.files().write(ACME, NewFile.unnamed(), meanwhile);
        pool.work().complete(claim(ACME).lease());
        assertThat(volume("second").state()).isEqualTo(VolumeState.ACTIVE);
        assertThat(pool.files().find(ACME, key)).isEmpty();

        pool.volumes().unmount("second");

        reopen();
        assertThat(pool.volumes().list()).extracting(VolumeInfo::name).containsExactly("main");
        assertThat(events()).contains("volume.unmounted");
        assertThat(pool.backlog().doomed()).isZero();
        assertRefused(VolumeNotFoundException.class, "pool.volume-not-found", () -> pool.volumes().get("second"));
    }

    @Test
    void mount_whenItWasUnmountedBefore_worksUnderTheSameNameAndUnderAnotherOne() throws Exception {
        pool.volumes().setReadOnly("main");
        for (String name : List.of("second", "second", "third")) {
            pool.volumes().mount(VolumeSpec.of(name, directory.resolve("second")).withHeadroom(0));
            reopen();
            FileKey key = write(ACME, "x");
            assertThat(volumeOf(key)).isEqualTo(name);
            assertThat(read(ACME, key)).isEqualTo("x");
            pool.work().complete(claim(ACME).lease());

            pool.volumes().unmount(name);

            assertThat(directory.resolve("second/.entrepot/volume")).doesNotExist();
            assertThat(directory.resolve("second/.entrepot/settings")).doesNotExist();
        }
        assertThat(pool.check().problems()).isEmpty();
    }

    @Test
    void unmount_whenItIsAway_leavesItItsNameAndMountingItSaysWhatToDo() throws Exception {
        pool.volumes().mount(spec("second"));
        Path away = Files.move(directory.resolve("second"), directory.resolve("away"));
        pool.volumes().probe();
        assertThat(volume("second").health()).isEqualTo(VolumeHealth.FAILED);

        pool.volumes().unmount("second");

        VolumeSpec back = VolumeSpec.of("back", away).withHeadroom(0);
        Path identity = away.toRealPath().resolve(".entrepot/volume");
        assertThat(catchThrowable(() -> pool.volumes().mount(back)))
                .isInstanceOf(StorageVolumeUnavailableException.class)
                .hasMessageContaining("remove " + identity + " and mount it again");
        Files.delete(identity);
        pool.volumes().mount(back);
    }

    @Test
    void list_ofAVolume_hasTheTenantsFilesThereAndNoOthers() throws Exception {
        write(ACME, "on main");
        pool.volumes().mount(spec("second"));
        pool.volumes().setReadOnly("main");
        List<FileKey> there = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            there.add(write(ACME, NewFile.named(i % 2 == 0 ? "a.txt" : "b.txt"), "on second"));
            write(OTHER, "of others");
        }

        for (int limit : List.of(1, 2, 3, 100)) {
            assertThat(listed(FileQuery.of(ACME).on("second").withLimit(limit))).isEqualTo(there);
        }
        assertThat(listed(FileQuery.of(ACME).on("second").named("b.*"))).containsExactly(there.get(1), there.get(3));
        assertThat(listed(FileQuery.of(ACME).on("main"))).hasSize(1);
        assertThat(listed(FileQuery.of(OTHER).on("main"))).isEmpty();
        assertRefused(VolumeNotFoundException.class, "pool.volume-not-found",
                () -> pool.files().list(FileQuery.of(ACME).on("third")));
    }

    private List<FileKey> listed(FileQuery query) {
        List<FileKey> keys = new ArrayList<>();
        String cursor = "";
        do {
            FilePage page = pool.files().list(query.after(cursor));
            page.files().forEach(file -> keys.add(file.key()));
            cursor = page.cursor();
        } while (!cursor.isEmpty());
        return keys;
    }

    @Test
    void recount_whileFilesComeAndGo_findsNothingWrong() throws Exception {
        pool.volumes().mount(spec("second"));
        AtomicInteger written = new AtomicInteger();
        Crowd<Boolean> writers = Crowd.start(4, _ -> {
            while (written.incrementAndGet() <= 200) {
                FileKey kept = write(ACME, "x");
                pool.files().delete(ACME, write(ACME, "y"), "every other one");
                pool.files().get(ACME, kept);
            }
            return true;
        });

        List<String> corrections = new ArrayList<>();
        do {
            corrections.addAll(pool.volumes().recount());
        } while (!writers.allDone());

        assertThat(writers.results()).hasSize(4);
        assertThat(corrections).isEmpty();
        assertThat(fileCount(ACME)).isEqualTo(200);
        assertThat(pool.check().problems()).isEmpty();
    }

    @Test
    void setReadOnly_givesWhatItHasAndTakesNothing() throws Exception {
        FileKey key = write(ACME, "x");
        pool.volumes().setReadOnly("main");

        assertRefused(StorageVolumeUnavailableException.class, "pool.volume-unavailable", () -> write(ACME, "y"));
        assertThat(read(ACME, key)).isEqualTo("x");
        assertThat(pool.volumes().availableSpace()).isZero();
        pool.work().complete(claim(ACME).lease());
        eventually(() -> onDisk(ACME).isEmpty());
        assertThat(fileCount(ACME)).isZero();
        pool.volumes().activate("main");
        assertThat(read(ACME, write(ACME, "y"))).isEqualTo("y");
    }

    @ParameterizedTest
    @EnumSource(Placement.class)
    void write_goesToTheVolumeThatThePolicyPrefers(Placement placement) throws Exception {
        config = config.withPlacement(placement);
        reopen();
        pool.volumes().mount(spec("tight").withHeadroom(2 * MUCH));
        pool.volumes().mount(spec("wide"));
        pool.volumes().setReadOnly("main");

        assertThat(volumesOf(4)).isEqualTo(placement == Placement.ROUND_ROBIN
                ? List.of("tight", "wide", "tight", "wide")
                : Collections.nCopies(4, "wide"));
        pool.volumes().setReadOnly("wide");
        assertThat(volumesOf(1)).containsExactly("tight");
    }

    @Test
    void write_whenOnlyTheHeadroomIsLeft_isRefused() throws Exception {
        long free = volume("main").free();
        pool.volumes().mount(spec("full").withHeadroom(2 * free));
        pool.volumes().setReadOnly("main");

        assertThat(volume("full").available()).isZero();
        assertRefused(InsufficientStorageException.class, "pool.insufficient-storage", () -> write(ACME, "x"));
        assertRefused(InsufficientStorageException.class, "pool.insufficient-storage",
                () -> pool.uploads().begin(ACME, NewFile.unnamed()));
        assertThat(fileCount(ACME)).isZero();
        pool.volumes().activate("main");
        assertThat(volumesOf(1)).containsExactly("main");
    }

    @Test
    void write_countsTheBytesThatOthersAreAboutToWrite() throws Exception {
        long free = volume("main").free();
        long large = free - free / 4;
        Acting meanwhile = new Acting(() -> {
            assertThat(volume("main").inFlight()).isEqualTo(large);
            assertThat(volume("main").available()).isLessThan(large);
            assertRefused(InsufficientStorageException.class, "pool.insufficient-storage",
                    () -> pool.files().write(ACME, NewFile.unnamed().ofSize(large), new Acting(() -> 0)));
            return 0;
        });

        assertThat(catchThrowable(() -> pool.files().write(ACME, NewFile.unnamed().ofSize(large), meanwhile)))
                .isInstanceOf(IOException.class);
        assertThat(volume("main").inFlight()).isZero();
        assertThat(fileCount(ACME)).isZero();
    }

    @Test
    void probe_whenRoomIsShort_addsSparesUntilItIsNot() throws Exception {
        config = config.withSpareBelow(MUCH);
        reopen();
        pool.volumes().mount(spec("spare").asSpare());
        pool.volumes().mount(spec("another").asSpare());
        pool.volumes().probe();
        assertThat(volume("spare").state()).isEqualTo(VolumeState.SPARE);
        assertThat(volumesOf(2)).containsExactly("main", "main");

        pool.volumes().setReadOnly("main");
        pool.volumes().probe();

        assertThat(volume("spare").state()).isEqualTo(VolumeState.ACTIVE);
        assertThat(volume("another").state()).isEqualTo(VolumeState.SPARE);
        assertThat(volumesOf(1)).containsExactly("spare");
        assertThat(Collections.frequency(events(), "volume.spare-added")).isEqualTo(1);
        reopen();
        assertThat(volume("spare").state()).isEqualTo(VolumeState.ACTIVE);
    }

    /** Whatever asks for room. */
    enum Asking {
        SMALL, SMALL_OF_KNOWN_SIZE, LARGE, UPLOAD
    }

    @ParameterizedTest
    @EnumSource(Asking.class)
    void write_whenNothingElseHasRoom_addsASpareAndGoesThere(Asking asking) throws Exception {
        mountFullAnd("spare", "another");

        ask(asking);

        assertThat(pool.volumes().list()).extracting(VolumeInfo::name, VolumeInfo::state).containsExactly(
                tuple("main", VolumeState.READ_ONLY), tuple("full", VolumeState.ACTIVE),
                tuple("spare", VolumeState.ACTIVE), tuple("another", VolumeState.SPARE));
        assertThat(pool.files().list(FileQuery.of(ACME)).files()).extracting(FileInfo::volume)
                .containsOnly("spare");
        assertThat(Collections.frequency(events(), "volume.spare-added")).isEqualTo(1);
        reopen();
        assertThat(volume("spare").state()).isEqualTo(VolumeState.ACTIVE);
    }

    private void ask(Asking asking) throws Exception {
        byte[] large = new byte[200_000];
        switch (asking) {
            case SMALL -> pool.files().write(ACME, NewFile.unnamed(), new ByteArrayInputStream(new byte[100]));
            case SMALL_OF_KNOWN_SIZE -> write(ACME, "x");
            case LARGE -> pool.files().write(ACME, NewFile.unnamed(), large);
            case UPLOAD -> {
                UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed().ofSize(large.length));
                pool.uploads().append(ACME, upload, 0, new ByteArrayInputStream(large));
                pool.uploads().finish(ACME, upload);
            }
        }
    }

    /** The one volume in use is full, and there are spares. */
    private void mountFullAnd(String... spares) throws Exception {
        pool.volumes().mount(spec("full").withHeadroom(2 * volume("main").free()));
        for (String spare : spares) {
            pool.volumes().mount(spec(spare).asSpare());
        }
        pool.volumes().setReadOnly("main");
    }

    @Test
    void write_whenManyFindNoRoomAtOnce_addsOneSpare() throws Exception {
        mountFullAnd("spare", "another", "third");

        List<FileKey> keys = Crowd.run(64, caller -> write(ACME, "file " + caller));

        assertThat(keys).extracting(this::volumeOf).containsOnly("spare");
        assertThat(pool.volumes().list()).extracting(VolumeInfo::state).containsExactly(VolumeState.READ_ONLY,
                VolumeState.ACTIVE, VolumeState.ACTIVE, VolumeState.SPARE, VolumeState.SPARE);
        assertThat(Collections.frequency(events(), "volume.spare-added")).isEqualTo(1);
    }

    @Test
    void write_whenNoSpareHasRoomEither_isRefusedAndAddsNone() throws Exception {
        mountFullAnd("spare");
        long more = 2 * volume("spare").total();

        assertRefused(InsufficientStorageException.class, "pool.insufficient-storage",
                () -> pool.uploads().begin(ACME, NewFile.unnamed().ofSize(more)));

        assertThat(volume("spare").state()).isEqualTo(VolumeState.SPARE);
        assertThat(events()).doesNotContain("volume.spare-added");
    }

    @Test
    void write_whenNoVolumeTakesFiles_addsASpare() throws Exception {
        pool.volumes().mount(spec("spare").asSpare());
        pool.volumes().setReadOnly("main");

        assertThat(volumesOf(1)).containsExactly("spare");
    }

    @Test
    void write_whenItSeesThatRoomIsShort_addsSparesAheadOfNeed() throws Exception {
        config = config.withSpareBelow(1L << 60);
        reopen();
        pool.volumes().mount(spec("spare").asSpare());

        write(ACME, "x");

        assertThat(volume("spare").state()).isEqualTo(VolumeState.ACTIVE);
        assertThat(events()).contains("volume.spare-added");
    }

    @Test
    void write_whenMoreComesThanItsVolumeHasRoomFor_goesOnOnASpare() throws Exception {
        byte[] content = new byte[9 << 20];
        new Random(1).nextBytes(content);
        pool.volumes().mount(spec("second").withHeadroom(volume("main").free() - (3L << 20)));
        pool.volumes().mount(spec("spare").asSpare());
        pool.volumes().setHeadroom("main", volume("main").free() - (4L << 20));

        FileKey key = pool.files().write(ACME, NewFile.unnamed(), new ByteArrayInputStream(content)).key();

        assertThat(volumeOf(key)).isEqualTo("spare");
        pool.files().verify(ACME, key);
        try (FileContent there = pool.files().open(ACME, key)) {
            assertThat(there.stream().readAllBytes()).isEqualTo(content);
        }
        assertThat(Collections.frequency(events(), "volume.spare-added")).isEqualTo(1);
        assertThat(onDisk(ACME)).isEmpty();
        try (Stream<Path> begun = Files.list(directory.resolve("files/.entrepot/incoming"))) {
            assertThat(begun).isEmpty();
        }
        assertThat(volume("main").inFlight()).isZero();
    }

    @Test
    void write_whenMoreComesThanAnyVolumeHasRoomFor_isRefusedAndNothingRemains() throws Exception {
        pool.volumes().setHeadroom("main", volume("main").free() - (4L << 20));

        assertRefused(InsufficientStorageException.class, "pool.insufficient-storage",
                () -> pool.files().write(ACME, NewFile.unnamed(), new ByteArrayInputStream(new byte[9 << 20])));

        assertThat(fileCount(ACME)).isZero();
        assertThat(onDisk(ACME)).isEmpty();
        assertThat(volume("main").inFlight()).isZero();
    }

    /** It stays on the volume on which it was begun. */
    @Test
    void uploadPiece_whenItsVolumeHasNoRoom_isRefusedAndAddsASpareForWhoBeginsAnew() throws Exception {
        pool.volumes().mount(spec("spare").asSpare());
        pool.volumes().setHeadroom("main", volume("main").free() - (4L << 20));
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed());

        assertRefused(InsufficientStorageException.class, "pool.insufficient-storage",
                () -> pool.uploads().append(ACME, upload, 0, new ByteArrayInputStream(new byte[9 << 20])));

        assertThat(volume("spare").state()).isEqualTo(VolumeState.ACTIVE);
        UploadId anew = pool.uploads().begin(ACME, NewFile.unnamed());
        pool.uploads().append(ACME, anew, 0, new ByteArrayInputStream(new byte[9 << 20]));
        assertThat(volumeOf(pool.uploads().finish(ACME, anew).key())).isEqualTo("spare");
    }

    @Test
    void drain_whenNothingElseHasRoom_addsASpare() throws Exception {
        FileKey key = write(ACME, "x");
        pool.volumes().mount(spec("spare").asSpare());

        DrainContract.ended(pool.volumes().drain("main"));

        assertThat(volumeOf(key)).isEqualTo("spare");
        assertThat(read(ACME, key)).isEqualTo("x");
    }

    @Test
    void setHeadroom_whileThePoolRuns_holdsFromThenOnAndAfterARestart() throws Exception {
        long tooMuch = 2 * volume("main").free();

        VolumeInfo changed = pool.volumes().setHeadroom("main", tooMuch);

        assertThat(changed.headroom()).isEqualTo(tooMuch);
        assertThat(changed.available()).isZero();
        assertRefused(InsufficientStorageException.class, "pool.insufficient-storage", () -> write(ACME, "x"));
        assertThat(events()).contains("volume.headroom");
        reopen();
        assertThat(volume("main").headroom()).isEqualTo(tooMuch);
        assertRefused(InsufficientStorageException.class, "pool.insufficient-storage", () -> write(ACME, "x"));
        pool.volumes().setHeadroom("main", 0);
        assertThat(volumesOf(1)).containsExactly("main");
        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> pool.volumes().setHeadroom("main", -1));
        assertRefused(VolumeNotFoundException.class, "pool.volume-not-found",
                () -> pool.volumes().setHeadroom("none", 1));
    }

    @Test
    void setSpare_whileThePoolRuns_keepsItsFilesAndTakesOthersOnlyWhenNothingElseHasRoom() throws Exception {
        FileKey key = write(ACME, "x");
        pool.volumes().mount(spec("second"));

        assertThat(pool.volumes().setSpare("main").state()).isEqualTo(VolumeState.SPARE);

        reopen();
        assertThat(volume("main").state()).isEqualTo(VolumeState.SPARE);
        assertThat(volumesOf(2)).containsExactly("second", "second");
        assertThat(read(ACME, key)).isEqualTo("x");
        assertThat(events()).contains("volume.spare");
        pool.volumes().setReadOnly("second");
        assertThat(volumesOf(1)).containsExactly("main");
    }

    @Test
    void figures_whateverTheDatabase_haveValues() throws Exception {
        write(ACME, "12345");
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (PoolMetrics metrics = new PoolMetrics(pool)) {
            metrics.bindTo(registry);

            assertThat(registry.get("entrepot.pool.redo").gauge().value()).isNotNaN();
            assertThat(registry.get("entrepot.pool.bytes").tag("tenant", "acme").gauge().value()).isEqualTo(5);
            assertThat(registry.get("entrepot.pool.volume.files").tag("volume", "main").gauge().value()).isEqualTo(1);
        }
    }

    @Test
    void volume_whenItIsAway_itsFilesStayInTheBooksAndAreThereWhenItIsBack() throws Exception {
        FileKey key = write(ACME, "x");
        pool.volumes().sync();
        Path root = directory.resolve("files");
        Path away = directory.resolve("away");
        Files.move(root, away);
        Files.createDirectory(root);
        pool.volumes().probe();

        assertThat(volume("main").health()).isEqualTo(VolumeHealth.FAILED);
        assertThat(volume("main").problem()).isPresent();
        assertThat(volume("main").files()).isEqualTo(1);
        assertRefused(StorageVolumeUnavailableException.class, "pool.volume-unavailable", () -> read(ACME, key));
        assertRefused(StorageVolumeUnavailableException.class, "pool.volume-unavailable", () -> write(ACME, "y"));
        assertThat(pool.files().get(ACME, key).status()).isEqualTo(FileStatus.PENDING);
        assertThat(pool.files().get(ACME, key).unreadable()).hasValueSatisfying(why -> assertThat(why)
                .startsWith("volume main has failed: "));
        pool.volumes().mount(spec("second"));
        FileKey elsewhere = write(ACME, "elsewhere");
        assertThat(volumeOf(elsewhere)).isEqualTo("second");
        assertThat(read(ACME, elsewhere)).isEqualTo("elsewhere");
        Files.delete(root);
        Files.move(away, root);
        pool.volumes().probe();

        assertThat(volume("main").health()).isEqualTo(VolumeHealth.HEALTHY);
        assertThat(read(ACME, key)).isEqualTo("x");
        assertThat(pool.files().get(ACME, key).unreadable()).isEmpty();
        assertThat(events()).containsSubsequence("volume.failed", "volume.healthy");
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
        assertThat(new String(Files.readAllBytes(pool.files().get(ACME, key).path().orElseThrow()), UTF_8))
                .isEqualTo("x");
    }
}
