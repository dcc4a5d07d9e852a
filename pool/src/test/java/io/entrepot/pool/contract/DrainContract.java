package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobRequest;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A volume is emptied while the pool runs, and nothing is lost or doubled. */
abstract class DrainContract extends PoolContract {
    private static final JobName DRAIN = new JobName("drain-main");
    private static final String LARGE = "0123456789".repeat(20_000);

    DrainContract(PoolFixture fixture) {
        super(fixture);
    }

    private void mountSecond() throws Exception {
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")).withDepth(1));
    }

    private Map<FileKey, String> writeSome(TenantId tenant, int files) throws Exception {
        Map<FileKey, String> written = new LinkedHashMap<>();
        for (int i = 0; i < files; i++) {
            String content = tenant + " " + i;
            written.put(write(tenant, NewFile.named(i + ".txt").in("in"), content), content);
        }
        return written;
    }

    static RunReport ended(JobHandle handle) throws InterruptedException {
        return handle.await(Duration.ofSeconds(30))
                .orElseThrow(() -> new AssertionError("it runs: " + handle.report()));
    }

    private List<Path> onVolume(String volume) throws IOException {
        Path root = directory.resolve(volume);
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(Files::isRegularFile).filter(file -> !file.startsWith(root.resolve(".entrepot")))
                    .toList();
        }
    }

    private void assertAllThere(TenantId tenant, Map<FileKey, String> files) throws Exception {
        for (Map.Entry<FileKey, String> file : files.entrySet()) {
            assertThat(read(tenant, file.getKey())).isEqualTo(file.getValue());
        }
        assertThat(pool.tenants().usage(tenant).files()).isEqualTo(files.size());
        assertThat(pool.quotas().recount(tenant).corrections()).isEmpty();
    }

    @Test
    void drain_whenItHasFiles_movesThemAll() throws Exception {
        Map<FileKey, String> acme = writeSome(ACME, 25);
        acme.put(write(ACME, LARGE), LARGE);
        Map<FileKey, String> other = writeSome(OTHER, 3);
        mountSecond();

        RunReport report = ended(pool.volumes().drain("main"));

        assertThat(report.result()).hasValueSatisfying(text -> assertThat(text).startsWith("moved 29 files"));
        assertThat(report.progress().done()).isEqualTo(29);
        assertThat(report.progress().total()).hasValue(29);
        assertThat(pool.volumes().get("main").files()).isZero();
        assertThat(pool.volumes().get("main").state()).isEqualTo(VolumeState.DRAINING);
        assertThat(pool.volumes().get("second").files()).isEqualTo(29);
        assertThat(onVolume("files")).isEmpty();
        assertThat(onVolume("second")).hasSize(29);
        assertThat(events()).contains("volume.draining", "file.moved", "volume.drained");
        FileKey one = acme.keySet().iterator().next();
        assertThat(pool.history(ACME, one).entries()).extracting(HistoryEntry::what).containsExactly("written",
                "moved");
        pool.volumes().unmount("main");
        reopen();
        assertAllThere(ACME, acme);
        assertAllThere(OTHER, other);
        assertThat(claim(ACME).key()).isEqualTo(one);
    }

    @Test
    void dryRun_saysHowManyFilesWouldBeMovedAndMovesNone() throws Exception {
        writeSome(ACME, 3);
        JobHandle drain = pool.volumes().drain("main"); // there is nowhere to go
        eventually(() -> drain.report().state() == JobState.FAILED);
        mountSecond();

        assertThat(ended(pool.jobs().trigger(DRAIN, JobRequest.DRY_RUN).handle()).result())
                .contains("dry run: would move 3 files from volume main");

        assertThat(pool.volumes().get("main").files()).isEqualTo(3);
        assertThat(pool.volumes().get("second").files()).isZero();
        pool.jobs().trigger(new JobName("probe-volumes"));
        eventually(() -> pool.volumes().get("second").files() == 3); // tried again all the same
    }

    @Test
    void drain_whenFilesAreReadAndProcessedMeanwhile_disturbsNobody() throws Exception {
        Map<FileKey, String> written = writeSome(ACME, 60);
        mountSecond();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger reads = new AtomicInteger();
        Crowd<Boolean> readers = Crowd.start(2, caller -> {
            List<FileKey> keys = new ArrayList<>(written.keySet()).subList(40, 60);
            for (int i = caller; !over.get(); i++) {
                FileKey key = keys.get(i % keys.size());
                assertThat(read(ACME, key)).isEqualTo(written.get(key));
                reads.incrementAndGet();
            }
            return true;
        });
        List<ClaimedFile> held = pool.work().claim(ClaimOrder.of(ACME, "slow").withMax(10));

        JobHandle drain = pool.volumes().drain("main");
        Crowd<Integer> workers = Crowd.start(2, caller -> {
            int done = 0;
            // Several at once: for who takes one after another the next is claimed ahead, and these two stop without a word.
            while (done < 15) {
                for (ClaimedFile claimed : pool.work()
                        .claim(ClaimOrder.of(ACME, "w" + caller).withMax(Math.min(3, 15 - done)))) {
                    Path path = claimed.file().path().orElseThrow();
                    assertThat(Files.readString(path, UTF_8)).isEqualTo(written.get(claimed.key()));
                    assertThat(read(ACME, claimed.key())).isEqualTo(written.get(claimed.key()));
                    pool.work().complete(claimed.lease());
                    done++;
                }
            }
            return done;
        });
        assertThat(workers.results()).containsExactly(15, 15);
        eventually(() -> pool.volumes().get("main").files() == 10);
        for (ClaimedFile claimed : held) {
            assertThat(Files.readString(claimed.file().path().orElseThrow(), UTF_8))
                    .isEqualTo(written.get(claimed.key()));
        }
        assertThat(drain.report().state()).isEqualTo(JobState.RUNNING);
        held.subList(0, 5).forEach(claimed -> pool.work().complete(claimed.lease()));
        held.subList(5, 10).forEach(claimed -> pool.work().completeAndKeep(claimed.lease()));

        assertThat(ended(drain).state()).isEqualTo(JobState.DONE);
        over.set(true);
        readers.results();
        assertThat(reads.get()).isPositive();
        assertThat(pool.volumes().get("main").files()).isZero();
        assertThat(pool.volumes().get("second").files()).isEqualTo(25);
        eventually(() -> onVolume("second").size() == 25 && onVolume("files").isEmpty());
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    @Test
    void drain_whenAFileIsOpen_itsReaderReadsOn() throws Exception {
        FileKey key = write(ACME, LARGE);
        mountSecond();
        try (FileContent content = pool.files().open(ACME, key)) {
            ended(pool.volumes().drain("main"));

            assertThat(onVolume("files")).isEmpty();
            assertThat(new String(content.verifiedStream().readAllBytes(), UTF_8)).isEqualTo(LARGE);
        }
    }

    @Test
    void drain_whenFilesAreDamaged_saysSoAndMovesTheOthers() throws Exception {
        Map<FileKey, String> written = writeSome(ACME, 5);
        List<FileKey> keys = List.copyOf(written.keySet());
        Files.writeString(pool.files().get(ACME, keys.get(1)).path().orElseThrow(), "damaged");
        Files.delete(pool.files().get(ACME, keys.get(3)).path().orElseThrow());
        mountSecond();

        RunReport report = ended(pool.volumes().drain("main"));

        assertThat(report.result()).hasValueSatisfying(text -> assertThat(text).startsWith("2 files remain; moved 3")
                .contains(keys.get(1) + ": its bytes are not those", keys.get(3) + ": its bytes are gone"));
        assertThat(pool.volumes().get("main").files()).isEqualTo(2);
        assertThat(events()).contains("volume.drain-incomplete").doesNotContain("volume.drained");
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.volumes().unmount("main"));
        pool.files().delete(ACME, keys.get(1), "damaged");
        pool.files().delete(ACME, keys.get(3), "damaged");
        assertThat(ended(pool.volumes().drain("main")).result()).contains("moved 0 files with 0 bytes");
    }

    @Test
    void drain_whenAnUploadHasEnded_doesNotWaitForIt() throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed());
        pool.uploads().append(ACME, upload, 0, new ByteArrayInputStream("x".getBytes(UTF_8)));
        mountSecond();
        JobHandle drain = pool.volumes().drain("main");
        eventually(() -> drain.report().progress().text().contains("1 upload that is under way"));

        FileKey key = pool.uploads().finish(ACME, upload).key();

        assertThat(ended(drain).state()).isEqualTo(JobState.DONE);
        assertThat(pool.files().get(ACME, key).volume()).isEqualTo("second");
        pool.volumes().unmount("main");
        assertThat(pool.uploads().finish(ACME, upload).key()).isEqualTo(key);
        assertThat(read(ACME, key)).isEqualTo("x");
    }

    @Test
    void drain_whenThePoolIsClosed_goesOnWhenItIsOpenedAgain() throws Exception {
        Map<FileKey, String> written = writeSome(ACME, 5);
        ClaimedFile held = claim(ACME);
        mountSecond();
        JobHandle drain = pool.volumes().drain("main");
        eventually(() -> pool.volumes().get("main").files() == 1);

        reopen();

        assertThat(drain.report().state()).isEqualTo(JobState.CANCELLED);
        assertThat(pool.jobs().get(DRAIN).state()).isEqualTo(JobState.RUNNING);
        pool.work().release(held.lease());
        eventually(() -> pool.jobs().get(DRAIN).state() == JobState.DONE);
        assertThat(pool.volumes().get("main").files()).isZero();
        assertAllThere(ACME, written);
    }

    @Test
    void activate_whenItDrains_endsThat() throws Exception {
        writeSome(ACME, 1);
        claim(ACME);
        mountSecond();
        JobHandle drain = pool.volumes().drain("main");
        assertThat(pool.volumes().drain("main").job()).isEqualTo(drain.job());

        pool.volumes().activate("main");

        assertThat(ended(drain).result())
                .hasValueSatisfying(text -> assertThat(text).contains("not draining any more"));
        reopen();
        assertThat(pool.volumes().get("main").state()).isEqualTo(VolumeState.ACTIVE);
        assertThat(pool.jobs().list()).noneMatch(job -> job.name().equals(DRAIN));
    }

    @Test
    void drain_whenNobodyTakesTheFiles_failsAndTheNextOneDoesIt() throws Exception {
        Map<FileKey, String> written = writeSome(ACME, 3);

        RunReport failed = ended(pool.volumes().drain("main"));

        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(failed.error()).hasValueSatisfying(error -> assertThat(error).contains("no volume takes files now"));
        assertAllThere(ACME, written);
        mountSecond();
        assertThat(ended(pool.volumes().drain("main")).state()).isEqualTo(JobState.DONE);
        assertAllThere(ACME, written);
    }

    @Test
    void drain_whenThereIsNoRoomForTheFiles_goesOnWhenThereIs() throws Exception {
        Map<FileKey, String> written = writeSome(ACME, 3);
        assertThat(ended(pool.volumes().drain("main")).state()).isEqualTo(JobState.FAILED);
        mountSecond();

        eventually(() -> {
            clocks.pass(Duration.ofSeconds(10)); // volumes are tried that often
            pool.tick();
            return pool.jobs().get(DRAIN).state() == JobState.DONE;
        });
        assertThat(pool.volumes().get("main").files()).isZero();
        assertAllThere(ACME, written);
    }

    @Test
    void drain_whenFilesComeBackToWhereTheyWere_keepsThem() throws Exception {
        Map<FileKey, String> written = writeSome(ACME, 10);
        mountSecond();
        for (int i = 0; i < 2; i++) {
            ended(pool.volumes().drain("main"));
            pool.volumes().activate("main");
            clocks.pass(Duration.ofMinutes(11)); // sooner they do not come back where there are several processes
            ended(pool.volumes().drain("second"));
            pool.volumes().activate("second");
            clocks.pass(Duration.ofMinutes(11));
        }

        assertThat(pool.volumes().get("main").files()).isEqualTo(10);
        assertThat(onVolume("files")).hasSize(10);
        assertThat(onVolume("second")).isEmpty();
        assertAllThere(ACME, written);
    }

    @ParameterizedTest
    @EnumSource(value = PoolFaults.Point.class, names = {"MOVE_COPIED", "MOVED"})
    void drain_whenItIsCutShort_theNextOneLosesAndDoublesNothing(PoolFaults.Point point) throws Exception {
        AtomicBoolean cut = new AtomicBoolean(true);
        pool.close();
        config = config.withPlatform(config.platform().withFaults(reached -> {
            if (reached == point && cut.getAndSet(false)) {
                throw new IllegalStateException("cut");
            }
        }));
        pool = Pool.open(config);
        Map<FileKey, String> written = writeSome(ACME, 5);
        mountSecond();

        assertThat(ended(pool.volumes().drain("main")).error()).contains("cut");

        assertAllThere(ACME, written);
        reopen();
        eventually(() -> pool.jobs().get(DRAIN).state() == JobState.DONE);
        assertAllThere(ACME, written);
        assertThat(onVolume("second")).hasSize(5);
        assertThat(onVolume("files")).isEmpty();
    }
}
