package io.entrepot.pool.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FilePage;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watchers on real clocks, with notification, while others write. */
class LiveWatchTest {
    private static final WatcherId IN = new WatcherId("in");
    private static final Duration AGE = Duration.ofMillis(100);

    private final List<TenantId> tenants = IntStream.range(0, 4).mapToObj(i -> new TenantId("tenant-" + i)).toList();
    private Path folder;
    private Path directory;
    private Pool pool;

    @BeforeEach
    void open(@TempDir Path temporary) throws Exception {
        folder = temporary.resolve("in");
        directory = temporary.resolve("data");
        reopen();
    }

    private void reopen() throws Exception {
        pool = Pool.open(PoolConfig.in(directory).withTenants(tenants)
                .withPlatform(PoolConfig.Platform.system().withStore(StoreConfig.of().withSync(false))));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void files_ofManyWriters_areImportedEachOnce() throws Exception {
        pool.watchers().add(WatcherSpec.ofAllTenants("in", folder).withMinFileAge(AGE)
                .withPollingInterval(Duration.ofMillis(200)));
        eventually(() -> Files.isDirectory(folder.resolve("tenant-3")));

        Crowd.run(8, writer -> {
            for (int i = 0; i < 250; i++) {
                Path to = folder.resolve(tenants.get(i % 4).name()).resolve("w" + writer + "-" + i + ".txt");
                if (i % 2 == 0) {
                    Files.writeString(to, writer + " " + i);
                } else { // as careful senders do
                    Path part = to.resolveSibling(to.getFileName() + ".part");
                    Files.writeString(part, writer + " " + i);
                    Files.move(part, to);
                }
            }
            return true;
        });
        eventually(() -> pool.watchers().status(IN).importedFiles() >= 2000 && left().isEmpty());

        List<String> names = new ArrayList<>();
        for (TenantId tenant : tenants) {
            all(tenant).forEach(file -> names.add(tenant + "/" + file.name().orElseThrow() + " " + file.size()));
        }
        List<String> expected = new ArrayList<>();
        for (int writer = 0; writer < 8; writer++) {
            for (int i = 0; i < 250; i++) {
                expected.add(tenants.get(i % 4) + "/w" + writer + "-" + i + ".txt " + (writer + " " + i).length());
            }
        }
        assertThat(names).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(pool.watchers().status(IN).importedFiles()).isEqualTo(2000);
    }

    @Test
    void file_whenNotified_doesNotWaitForTheInterval() throws Exception {
        pool.watchers().add(WatcherSpec.ofTenant("in", tenants.getFirst(), folder).withMinFileAge(AGE)
                .withPollingInterval(Duration.ofHours(1)));
        eventually(() -> pool.watchers().status(IN).lastScan().isPresent());
        assertThat(pool.watchers().status(IN).notification()).startsWith("notification works here");

        Files.createDirectories(folder.resolve("new/deep"));
        Files.writeString(folder.resolve("a.txt"), "a");
        eventually(() -> all(tenants.getFirst()).size() == 1);
        Files.writeString(folder.resolve("new/deep/b.txt"), "b");

        eventually(() -> all(tenants.getFirst()).size() == 2 && left().isEmpty());
    }

    @Test
    void file_whileItsWriterHasNotClosedIt_waits() throws Exception {
        pool.watchers().add(WatcherSpec.ofTenant("in", tenants.getFirst(), folder).withMinFileAge(AGE)
                .withPollingInterval(Duration.ofMillis(50)));
        eventually(() -> pool.watchers().status(IN).lastScan().isPresent());
        try (OutputStream slow = Files.newOutputStream(folder.resolve("slow.txt"))) {
            slow.write(1);
            Files.writeString(folder.resolve("quick.txt"), "q");
            // The other one came later, and was complete: so this one has been looked at for long enough.
            eventually(() -> all(tenants.getFirst()).size() == 1);
            long scans = pool.jobs().get(IN.job()).runs();
            eventually(() -> pool.jobs().get(IN.job()).runs() > scans + 5);
            assertThat(all(tenants.getFirst())).hasSize(1);
            slow.write(2);
        }

        eventually(() -> all(tenants.getFirst()).size() == 2);
        assertThat(all(tenants.getFirst())).extracting(FileInfo::size).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void close_whileItImports_losesAndRepeatsNothing() throws Exception {
        pool.watchers().add(WatcherSpec.ofTenant("in", tenants.getFirst(), folder).withMinFileAge(Duration.ofMillis(1))
                .withPollingInterval(Duration.ofMillis(10)));
        for (int i = 0; i < 500; i++) {
            Files.writeString(folder.resolve("f" + i), "content " + i);
        }
        for (int i = 0; i < 4; i++) {
            long before = pool.watchers().status(IN).importedFiles();
            eventually(() -> pool.watchers().status(IN).importedFiles() > before || left().isEmpty());
            pool.close();
            reopen();
        }
        eventually(() -> left().isEmpty());

        assertThat(all(tenants.getFirst())).extracting(file -> file.name().orElseThrow()).doesNotHaveDuplicates()
                .hasSize(500);
    }

    private List<FileInfo> all(TenantId tenant) {
        List<FileInfo> all = new ArrayList<>();
        String cursor = "";
        do {
            FilePage page = pool.files().list(FileQuery.of(tenant).withLimit(500).after(cursor));
            all.addAll(page.files());
            cursor = page.cursor();
        } while (!cursor.isEmpty());
        return all;
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.filter(Files::isRegularFile).toList();
        } catch (java.io.UncheckedIOException e) {
            return List.of(folder); // one of them was removed just now
        }
    }

    private static void eventually(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10))
                .until(condition);
    }
}
