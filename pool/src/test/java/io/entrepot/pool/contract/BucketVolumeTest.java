package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Location;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.Recovery;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.ScrubReport;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.Bucket;
import io.entrepot.store.DataDirectory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A volume in a bucket beside one in a directory: everything that is done with volumes. */
class BucketVolumeTest extends PoolContract {
    private static final String LARGE = "0123456789abcdef".repeat(50_000);

    private final OnBucket on = new OnBucket();

    BucketVolumeTest() {
        super(PoolFixture.SQLITE);
    }

    @BeforeEach
    void mount() throws Exception {
        config = on.config(config).withRedoLimit(4096);
        reopen();
        pool.volumes().mount(OnBucket.volume("bucket"));
        pool.volumes().setReadOnly("main");
    }

    private Bucket bucket() {
        return on.bucket();
    }

    private VolumeInfo volume() {
        return pool.volumes().get("bucket");
    }

    private String volumeOf(FileKey key) {
        return pool.files().get(ACME, key).volume();
    }

    private FileKey stream(String content) throws Exception {
        return pool.files().write(ACME, NewFile.named("streamed"), new ByteArrayInputStream(content.getBytes(UTF_8)))
                .key();
    }

    private FileKey upload(String content) throws Exception {
        UploadId id = pool.uploads().begin(ACME, NewFile.named("resumed"));
        int half = content.length() / 2;
        pool.uploads().append(ACME, id, 0, content.substring(0, half).getBytes(UTF_8));
        reopen();
        pool.uploads().append(ACME, id, half, content.substring(half).getBytes(UTF_8));
        return pool.uploads().finish(ACME, id).key();
    }

    private String range(FileKey key, long from, long length) throws Exception {
        try (FileContent content = pool.files().open(ACME, key);
                InputStream stream = content.stream(from, length)) {
            return new String(stream.readAllBytes(), UTF_8);
        }
    }

    private String verified(FileKey key) throws Exception {
        try (FileContent content = pool.files().open(ACME, key)) {
            return new String(content.verifiedStream().readAllBytes(), UTF_8);
        }
    }

    private List<String> blobs() {
        return bucket().keys(key -> key.startsWith(OnBucket.PREFIX) && !key.contains(".entrepot"));
    }

    private String blobOf(FileKey key) {
        return blobs().stream().filter(name -> name.contains(key.toString())).findFirst().orElseThrow();
    }

    @Test
    void files_howeverTheyAreWritten_areObjectsThatAreReadInRangesAndAfterARestart() throws Exception {
        FileKey small = write(ACME, NewFile.named("a.txt"), "small");
        FileKey empty = write(ACME, "");
        FileKey streamed = stream(LARGE);
        FileKey resumed = upload(LARGE);

        reopen();

        assertThat(read(ACME, small)).isEqualTo("small");
        assertThat(read(ACME, empty)).isEmpty();
        assertThat(range(streamed, 131_000, 200_000)).isEqualTo(LARGE.substring(131_000, 331_000));
        assertThat(verified(streamed)).isEqualTo(LARGE);
        assertThat(verified(resumed)).isEqualTo(LARGE);
        Path target = directory.resolve("saved");
        try (FileContent content = pool.files().open(ACME, streamed)) {
            content.saveTo(target);
        }
        assertThat(target).content().isEqualTo(LARGE);
        assertThat(pool.files().get(ACME, small).path()).isEmpty();
        assertThat(volume()).extracting(VolumeInfo::location, VolumeInfo::files, VolumeInfo::described,
                VolumeInfo::inFlight).containsExactly(OnBucket.PLACE, 4L, true, 0L);
        assertThat(volume().free()).isLessThan(volume().total());
        assertThat(blobs()).hasSize(4);
        pool.work().complete(claim(ACME).lease());
        eventually(() -> blobs().size() == 3);
        assertThat(bucket().keys(key -> key.contains("incoming"))).isEmpty();
        assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
    }

    @Test
    void write_whenAnswersAreLost_isDoneOnceAndTheVolumeStaysHealthy() throws Exception {
        bucket().every(3, Bucket.Answer.LOST);
        Map<FileKey, String> written = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            written.put(write(ACME, "n" + i), "n" + i);
        }
        written.put(stream(LARGE), LARGE);
        bucket().well();

        assertAllThere(written);
        assertThat(blobs()).hasSize(21);
        assertThat(events()).doesNotContain("volume.failed");
        assertThat(volume().health()).isEqualTo(VolumeHealth.HEALTHY);
    }

    private void assertAllThere(Map<FileKey, String> files) throws Exception {
        for (Map.Entry<FileKey, String> file : files.entrySet()) {
            assertThat(read(ACME, file.getKey())).isEqualTo(file.getValue());
        }
        assertThat(pool.tenants().usage(ACME).files()).isEqualTo(files.size());
        assertThat(pool.volumes().recount()).isEmpty();
    }

    /** Somebody writes all the time. */
    private final class Writer implements AutoCloseable {
        private final Map<FileKey, String> written = new ConcurrentHashMap<>();
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final Thread thread = Thread.ofVirtual().start(this::run);

        private void run() {
            try {
                for (int i = 0; !ended.get(); i++) {
                    String content = i % 10 == 0 ? LARGE + i : "n" + i;
                    written.put(write(ACME, content), content);
                }
            } catch (Exception | AssertionError e) {
                failure.set(e);
            }
        }

        Map<FileKey, String> end() throws InterruptedException {
            close();
            thread.join();
            assertThat(failure.get()).isNull();
            return written;
        }

        @Override
        public void close() {
            ended.set(true);
        }
    }

    @Test
    void drain_bothWaysWhileFilesAreWritten_losesAndDoublesNothing() throws Exception {
        try (Writer writer = new Writer()) {
            eventually(() -> writer.written.size() > 30);
            pool.volumes().activate("main");
            assertThat(DrainContract.ended(pool.volumes().drain("bucket")).state()).isEqualTo(JobState.DONE);
            assertThat(volume().files()).isZero();
            eventually(() -> blobs().isEmpty());

            int before = writer.written.size();
            eventually(() -> writer.written.size() > before + 10);
            pool.volumes().activate("bucket");
            assertThat(DrainContract.ended(pool.volumes().drain("main")).state()).isEqualTo(JobState.DONE);
            Map<FileKey, String> written = writer.end();

            assertAllThere(written);
            assertThat(volume().files()).isEqualTo(written.size());
            assertThat(blobs()).hasSize(written.size());
            eventually(() -> onDisk(ACME).isEmpty());
        }
        assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
    }

    @Test
    void read_whenTheFileIsMovedMeanwhile_goesOnWhereItIs() throws Exception {
        FileKey key = stream(LARGE);
        try (FileContent content = pool.files().open(ACME, key)) {
            InputStream stream = content.verifiedStream();
            String begin = new String(stream.readNBytes(10), UTF_8);
            pool.volumes().activate("main");
            DrainContract.ended(pool.volumes().drain("bucket"));
            eventually(() -> blobs().isEmpty());
            assertThat(begin + new String(stream.readAllBytes(), UTF_8)).isEqualTo(LARGE);
            assertThat(new String(content.stream(5, 10).readAllBytes(), UTF_8)).isEqualTo(LARGE.substring(5, 15));
        }
        assertThat(volumeOf(key)).isEqualTo("main");
    }

    @Test
    void read_whenTheFileIsRemovedMeanwhile_saysSo() throws Exception {
        FileKey key = write(ACME, "x");
        try (FileContent content = pool.files().open(ACME, key)) {
            pool.files().delete(ACME, key, "no longer wanted");
            eventually(() -> blobs().isEmpty());
            assertThatThrownBy(() -> content.stream().readAllBytes()).isInstanceOf(FileNotFoundException.class);
        }
    }

    @Test
    void volume_whenTheBucketIsAwayAndBack_hasFailedAndIsHealthyAgain() throws Exception {
        FileKey before = write(ACME, "before");
        pool.volumes().activate("main");
        pool.volumes().setHeadroom("main", 0);
        bucket().away();

        assertRefused(StorageVolumeUnavailableException.class, "pool.volume-unavailable", () -> read(ACME, before));
        assertThat(volume().health()).isEqualTo(VolumeHealth.FAILED);
        FileKey meanwhile = write(ACME, "meanwhile");
        assertThat(volumeOf(meanwhile)).isEqualTo("main");
        pool.volumes().probe();
        assertThat(volume().health()).isEqualTo(VolumeHealth.FAILED);
        reopen();
        assertThat(volume().health()).isEqualTo(VolumeHealth.FAILED);
        assertThat(read(ACME, meanwhile)).isEqualTo("meanwhile");

        bucket().well();
        pool.volumes().probe();
        assertThat(volume().health()).isEqualTo(VolumeHealth.HEALTHY);
        assertThat(read(ACME, before)).isEqualTo("before");
        assertThat(events()).contains("volume.failed");
    }

    @Test
    void volume_whenTheBucketWasEmptied_hasFailedAndNoFileIsTakenForGone() throws Exception {
        FileKey key = write(ACME, "x");
        bucket().keys(_ -> true).forEach(bucket()::remove);

        assertRefused(StorageVolumeUnavailableException.class, "pool.volume-unavailable", () -> read(ACME, key));
        assertThat(volume().problem().orElseThrow()).contains("is not there");
        assertThat(pool.cleanup().filesWithoutBytes(true, false).await().problems()).isNotEmpty();
        assertThat(pool.files().find(ACME, key)).isPresent();
    }

    @Test
    void scrub_whenAnObjectIsDamaged_findsIt() throws Exception {
        FileKey good = stream(LARGE);
        FileKey damaged = stream(LARGE + "!");
        FileKey gone = write(ACME, "gone");
        bucket().damage(blobOf(damaged));
        bucket().remove(blobOf(gone));

        ScrubReport report = pool.cleanup().scrub().await();

        assertThat(report.files()).isEqualTo(3);
        assertThat(report.damage()).containsExactlyInAnyOrder(
                new ScrubReport.Damage(ACME, damaged, "bucket", "its bytes are not those that were written"),
                new ScrubReport.Damage(ACME, gone, "bucket", "its bytes are gone"));
        assertThat(verified(good)).isEqualTo(LARGE);
        assertThatThrownBy(() -> verified(damaged)).hasMessageContaining("not those that were written");
    }

    @Test
    void orphans_areFoundAndRemovedOrImported() throws Exception {
        FileKey key = write(ACME, NewFile.named("kept.txt"), "kept");
        BlobPath unknown = new BlobPath(ACME, new FileKey(1L << 40, 5), ".bin", 2);
        bucket().add(OnBucket.PREFIX + unknown, "of nobody".getBytes(UTF_8));
        bucket().add(OnBucket.PREFIX + "notes.txt", "not ours".getBytes(UTF_8));
        bucket().add("elsewhere/" + unknown, "another's".getBytes(UTF_8));

        CleanupReport report = pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false).await();

        assertThat(report.counts().orphanedFilesRemoved()).isEqualTo(1);
        assertThat(report.counts().strays()).isEqualTo(1);
        eventually(() -> blobs().size() == 2);
        assertThat(bucket().keys(name -> true)).contains(OnBucket.PREFIX + "notes.txt", "elsewhere/" + unknown);
        assertThat(read(ACME, key)).isEqualTo("kept");
    }

    @Test
    void temporaryFiles_ofWritesThatEndedWithAProcess_areRemoved() throws Exception {
        bucket().trouble(one -> one.call().equals("delete") ? one.answered(Bucket.Answer.DENIED) : one);
        assertThatThrownBy(() -> pool.files().write(ACME, NewFile.unnamed(), new InputStream() {
            private int left = 300_000;

            @Override
            public int read() throws IOException {
                if (left-- <= 0) {
                    throw new IOException("the other side is gone");
                }
                return 'x';
            }
        })).isInstanceOf(IOException.class);
        bucket().well();
        assertThat(bucket().keys(key -> key.contains("incoming"))).isNotEmpty();

        pool.cleanup().temporaryFiles(Duration.ZERO, false).await();

        assertThat(bucket().keys(key -> key.contains("incoming"))).isEmpty();
    }

    @Test
    void rebuild_fromWhatTheObjectsCarry_knowsFilesAndSettings() throws Exception {
        NewFile said = NewFile.named("Rechnung März.pdf").in("invoices").withPriority(7)
                .withLabels(Map.of("kind", "invoice")).from("upload");
        FileKey key = write(ACME, said, "hello");
        FileKey large = stream(LARGE);
        FileInfo before = pool.files().get(ACME, key);
        pool.volumes().setHeadroom("bucket", 4711);
        pool.close();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        assertThat(directory.resolve(DataDirectory.MAIN)).doesNotExist();
        config = config.withVolume(OnBucket.volume("bucket"));

        pool = Pool.open(config.withRecovery(new Recovery(true, Optional.empty())));

        RecoveryReport report = pool.recoveries().getFirst();
        assertThat(report.total().rebuilt()).isEqualTo(2);
        assertThat(report.unknown()).isEmpty();
        assertThat(volume().headroom()).isEqualTo(4711);
        assertThat(pool.volumes().get("main").state()).isEqualTo(VolumeState.READ_ONLY);
        assertThat(pool.files().get(ACME, key)).usingRecursiveComparison().ignoringFields("status", "since")
                .isEqualTo(before);
        assertThat(pool.files().releaseAll(ACME)).isEqualTo(2);
        assertThat(verified(large)).isEqualTo(LARGE);
        reopen();
        assertThat(read(ACME, key)).isEqualTo("hello");
    }

    @Test
    void spare_inABucket_isAddedWhenNothingElseHasRoom() throws Exception {
        pool.volumes().setSpare("bucket");
        pool.volumes().activate("main");
        pool.volumes().setHeadroom("main", 1L << 60);

        FileKey key = write(ACME, "x");

        assertThat(volumeOf(key)).isEqualTo("bucket");
        assertThat(volume().state()).isEqualTo(VolumeState.ACTIVE);
        assertThat(events()).contains("volume.spare-added");
    }

    @Test
    void unmount_leavesABucketThatCanBeMountedAgain() throws Exception {
        pool.volumes().activate("main");
        pool.volumes().unmount("bucket");
        pool.volumes().mount(VolumeSpec.of("again", OnBucket.PLACE).withHeadroom(0));

        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> pool.volumes().mount(VolumeSpec.of("inner", Location.parse("bucket:one/pool/inner"))));
        pool.volumes().mount(VolumeSpec.of("beside", Location.parse("bucket:one/beside")));
        assertThat(pool.volumes().list()).extracting(VolumeInfo::name).containsExactly("main", "again", "beside");
        assertThat(pool.volumes().availableSpace()).isPositive();
    }
}
