package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeLoss;
import io.entrepot.pool.VolumeNotFoundException;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A volume is lost for good, and an operator gives it up. The lost one is called main. */
abstract class GiveUpContract extends PoolContract {

    GiveUpContract(PoolFixture fixture) {
        super(fixture);
    }

    @BeforeEach
    void mountAnother() throws Exception {
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")).withHeadroom(0));
        pool.volumes().setReadOnly("second");
    }

    private List<FileKey> writeSome(int files) throws Exception {
        List<FileKey> keys = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            keys.add(write(ACME, NewFile.named(i + ".txt").in("in"), "acme " + i));
        }
        return keys;
    }

    /** From now on files go to the other one. */
    private void lose() throws Exception {
        Files.move(directory.resolve("files"), directory.resolve("away"));
        pool.volumes().probe();
        pool.volumes().activate("second");
        assertThat(pool.volumes().get("main").health()).isEqualTo(VolumeHealth.FAILED);
    }

    private void syncAndLose() throws Exception {
        pool.volumes().sync();
        lose();
    }

    private void bringBack() throws Exception {
        Files.move(directory.resolve("away"), directory.resolve("files"));
        pool.volumes().probe();
    }

    private static VolumeLoss loss(JobHandle handle) throws InterruptedException {
        var _ = DrainContract.ended(handle);
        return handle.kept(VolumeLoss.class).orElseThrow();
    }

    private void assertMainIsUnmountedAndAllIsSound() throws Exception {
        assertThat(pool.volumes().list()).extracting(VolumeInfo::name).containsExactly("second");
        assertThat(events()).contains("volume.unmounted");
        assertThat(pool.check().problems()).isEmpty();
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
        assertThat(pool.volumes().recount()).isEmpty();
        assertThat(pool.backlog().doomed()).isZero();
    }

    @Test
    void giveUp_whenTheDiskIsLost_takesItsFilesOutAndUnmountsIt() throws Exception {
        List<FileKey> lost = writeSome(3);
        pool.work().failForGood(claim(ACME).lease(), "no");
        write(OTHER, "12345");
        syncAndLose();
        FileKey elsewhere = write(ACME, "elsewhere");

        VolumeLoss loss = loss(pool.volumes().giveUp("main", false));

        assertThat(loss.tenants()).containsExactly(new VolumeLoss.Loss(ACME, 3, 18), new VolumeLoss.Loss(OTHER, 1, 5));
        assertThat(loss.unmounted()).isTrue();
        assertThat(loss.dryRun()).isFalse();
        assertMainIsUnmountedAndAllIsSound();
        for (FileKey key : lost) {
            assertRefused(FileNotFoundException.class, "pool.file-not-found", () -> pool.files().get(ACME, key));
            assertThat(pool.history(ACME, key).gone()).hasValueSatisfying(
                    gone -> assertThat(gone.why()).isEqualTo("its volume main was given up"));
        }
        assertThat(Collections.frequency(events(), "file.lost")).isEqualTo(4);
        assertThat(pool.tenants().usage(ACME).files()).isEqualTo(1);
        assertThat(pool.tenants().usage(OTHER).bytes()).isZero();
        assertThat(claim(ACME).key()).isEqualTo(elsewhere);
        assertThat(pool.work().claim(OTHER, "worker")).isEmpty();
        try (Stream<Path> left = Files.walk(directory.resolve("away"))) { // nobody deletes the last bytes
            assertThat(left.map(Path::toString)
                    .filter(path -> lost.stream().anyMatch(key -> path.contains(key.toString())))).hasSize(3);
        }
    }

    @Test
    void giveUp_asADryRun_saysWhoseFilesTheseAreAndChangesNothing() throws Exception {
        List<FileKey> lost = writeSome(2);
        write(OTHER, "12345");
        pool.uploads().begin(ACME, NewFile.unnamed());
        syncAndLose();

        VolumeLoss loss = loss(pool.volumes().giveUp("main", true));

        assertThat(loss.dryRun()).isTrue();
        assertThat(loss.tenants()).containsExactly(new VolumeLoss.Loss(ACME, 2, 12), new VolumeLoss.Loss(OTHER, 1, 5));
        assertThat(loss.uploads()).isEqualTo(1);
        assertThat(loss.unmounted()).isFalse();
        assertThat(events()).doesNotContain("file.lost", "volume.unmounted");
        assertThat(pool.volumes().get("main").state()).isEqualTo(VolumeState.ACTIVE);
        assertThat(pool.files().list(FileQuery.of(ACME).on("main")).files()).hasSize(2);
        bringBack();
        assertThat(read(ACME, lost.getFirst())).isEqualTo("acme 0");
    }

    @Test
    void giveUp_whenItWorks_isRefused() throws Exception {
        FileKey key = write(ACME, "x");
        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> pool.volumes().giveUp("main", false));
        pool.volumes().setReadOnly("main");
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.volumes().giveUp("main", true));
        assertRefused(VolumeNotFoundException.class, "pool.volume-not-found",
                () -> pool.volumes().giveUp("none", false));
        lose();
        Files.move(directory.resolve("away"), directory.resolve("files")); // nobody has looked since

        JobHandle late = pool.volumes().giveUp("main", false);

        assertThat(DrainContract.ended(late).error()).hasValueSatisfying(
                error -> assertThat(error).contains("HEALTHY", "keeps what it has"));
        assertThat(read(ACME, key)).isEqualTo("x");
    }

    @Test
    void giveUp_whenAWorkerHasAFile_waitsForHim() throws Exception {
        List<FileKey> keys = writeSome(3);
        ClaimedFile read = claim(ACME);
        ClaimedFile unread = claim(ACME);
        syncAndLose();
        JobHandle handle = pool.volumes().giveUp("main", false);
        eventually(() -> handle.report().progress().text().contains("waits for 2 files that are being processed"));
        assertThat(pool.files().find(ACME, keys.get(2))).isEmpty();

        pool.work().complete(read.lease());
        pool.work().release(unread.lease());

        assertThat(loss(handle).tenants()).containsExactly(new VolumeLoss.Loss(ACME, 2, 12));
        assertThat(pool.history(ACME, read.key()).gone()).hasValueSatisfying(
                gone -> assertThat(gone.why()).isEqualTo("completed"));
        assertMainIsUnmountedAndAllIsSound();
    }

    @Test
    void giveUp_whenItIsBackInTheMiddle_stopsAndKeepsWhatIsLeft() throws Exception {
        writeSome(2);
        ClaimedFile held = claim(ACME);
        syncAndLose();
        JobHandle handle = pool.volumes().giveUp("main", false);
        eventually(() -> handle.report().progress().text().contains("waits for 1 file"));

        bringBack();

        assertThat(DrainContract.ended(handle).state()).isEqualTo(JobState.FAILED);
        assertThat(loss(handle).tenants()).containsExactly(new VolumeLoss.Loss(ACME, 1, 6));
        assertThat(loss(handle).unmounted()).isFalse();
        pool.work().release(held.lease());
        assertThat(read(ACME, held.key())).isEqualTo("acme 0");
        assertThat(pool.volumes().get("main").state()).isEqualTo(VolumeState.READ_ONLY);
        assertThat(pool.check().problems()).isEmpty();
    }

    @Test
    void giveUp_whenItIsStopped_isGoneOnWithByTheNextOne() throws Exception {
        writeSome(5);
        ClaimedFile held = claim(ACME);
        syncAndLose();
        JobHandle stopped = pool.volumes().giveUp("main", false);
        eventually(() -> stopped.report().progress().text().contains("waits for 1 file"));
        assertThat(pool.volumes().giveUp("main", false).report().started()).isEqualTo(stopped.report().started());

        stopped.cancel();

        assertThat(DrainContract.ended(stopped).state()).isEqualTo(JobState.CANCELLED);
        assertThat(loss(stopped).files()).isEqualTo(4);
        assertThat(pool.files().get(ACME, held.key()).volume()).isEqualTo("main");
        reopen();
        pool.work().release(held.lease());
        assertThat(loss(pool.volumes().giveUp("main", false)).files()).isEqualTo(1);
        assertMainIsUnmountedAndAllIsSound();
    }

    @Test
    void giveUp_whenTheDatabaseHasTheBytes_putsThemOntoAnotherVolume() throws Exception {
        config = config.withSyncEvery(Duration.ofHours(1));
        pool.volumes().sync();
        reopen();
        List<FileKey> saved = writeSome(3);
        FileKey large = write(ACME, "0123456789".repeat(20_000));
        lose();
        pool.volumes().setReadOnly("second");
        assertThat(loss(pool.volumes().giveUp("main", true)).saved()).isEqualTo(3);
        RunReport nowhere = DrainContract.ended(pool.volumes().giveUp("main", false));
        assertThat(nowhere.error()).hasValueSatisfying(error -> assertThat(error).contains("mount another volume"));
        assertThat(pool.files().list(FileQuery.of(ACME).on("main")).files()).hasSize(4);
        pool.volumes().activate("second");

        VolumeLoss loss = loss(pool.volumes().giveUp("main", false));

        assertThat(loss.saved()).isEqualTo(3);
        assertThat(loss.tenants()).containsExactly(new VolumeLoss.Loss(ACME, 1, 200_000));
        assertThat(pool.files().find(ACME, large)).isEmpty();
        for (int i = 0; i < saved.size(); i++) {
            assertThat(read(ACME, saved.get(i))).isEqualTo("acme " + i);
            pool.files().verify(ACME, saved.get(i));
        }
        assertThat(events()).contains("file.moved");
        pool.volumes().sync();
        assertMainIsUnmountedAndAllIsSound();
    }

    @Test
    void giveUp_whenUploadsAreUnderWayThere_dropsThem() throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed());
        pool.uploads().append(ACME, upload, 0, new ByteArrayInputStream("x".getBytes(UTF_8)));
        syncAndLose();

        assertThat(loss(pool.volumes().giveUp("main", false)).uploads()).isEqualTo(1);

        assertThat(events()).contains("upload.dropped");
        assertThat(pool.uploads().list(ACME)).isEmpty();
        assertMainIsUnmountedAndAllIsSound();
    }

    /** The bytes are orphans then, and an import must not take them for what is left of deleted files. */
    @Test
    void orphans_whenAGivenUpDiskIsBack_areLeftByAnImportUntilTheyCanBeImported() throws Exception {
        FileKey key = write(ACME, "precious");
        syncAndLose();
        assertThat(loss(pool.volumes().giveUp("main", false)).files()).isEqualTo(1);
        Path disk = directory.resolve("away");
        Files.delete(disk.resolve(".entrepot/volume"));
        pool.volumes().mount(VolumeSpec.of("back", disk));

        CleanupReport early = imported();

        assertThat(early.counts().orphanedFilesImported() + early.counts().orphanedFilesRemoved()).isZero();
        assertThat(early.problems()).singleElement().asString().contains(key.toString(),
                "when its history is forgotten");
        clocks.pass(Duration.ofDays(9));
        pool.cleanup().forgetOld(false).await();
        assertThat(imported().counts().orphanedFilesImported()).isEqualTo(1);
        assertThat(pool.files().get(ACME, key).status()).isEqualTo(FileStatus.HELD);
        assertThat(pool.files().release(ACME, key)).isTrue();
        assertThat(claim(ACME).key()).isEqualTo(key);
        assertThat(read(ACME, key)).isEqualTo("precious");
    }

    @Test
    void orphans_whenAGivenUpDiskIsBack_areDeletedIfThatIsWanted() throws Exception {
        write(ACME, "x");
        syncAndLose();
        assertThat(loss(pool.volumes().giveUp("main", false)).files()).isEqualTo(1);
        Files.delete(directory.resolve("away/.entrepot/volume"));
        pool.volumes().mount(VolumeSpec.of("back", directory.resolve("away")));

        assertThat(orphans(OrphanAction.DELETE).counts().orphanedFilesRemoved()).isEqualTo(1);
    }

    private CleanupReport imported() throws Exception {
        return orphans(OrphanAction.IMPORT);
    }

    private CleanupReport orphans(OrphanAction action) throws Exception {
        pool.cleanup().orphans(OrphanAction.REPORT, Duration.ZERO, true).await();
        clocks.pass(Duration.ofMinutes(11)); // sooner nothing is done with them where there are several processes
        return pool.cleanup().orphans(action, Duration.ZERO, false).await();
    }
}
