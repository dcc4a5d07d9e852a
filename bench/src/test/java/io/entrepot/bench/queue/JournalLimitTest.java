package io.entrepot.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.FailingDisk;
import io.entrepot.lab.LabDisk;
import io.entrepot.lab.PowerCut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JournalLimitTest {

    @TempDir
    Path directory;

    private static final int ITEMS = 2_000;

    /** Every worker writes down what was acknowledged, then the journal must say the same, in an order that can be. */
    private static void work(JournalLimit limit, int tenants, int batch, Queue<JournalEntry> finished)
            throws Exception {
        List<Callable<Boolean>> workers = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int worker = 0; worker < 64; worker++) {
                int tenant = worker % tenants;
                workers.add(() -> {
                    for (List<JournalEntry> claimed = limit.claim(tenant, batch); !claimed.isEmpty(); claimed = limit
                            .claim(tenant, batch)) {
                        limit.finish(tenant, claimed);
                        finished.addAll(claimed);
                    }
                    return true;
                });
            }
            for (Future<Boolean> end : executor.invokeAll(workers)) {
                assertThat(end.get()).isTrue();
            }
        }
    }

    private static void check(Path file, Queue<JournalEntry> finished) throws IOException {
        Map<Long, JournalEntry> claims = new HashMap<>();
        Set<Long> done = new HashSet<>();
        for (JournalEntry entry : JournalFile.read(file)) {
            switch (entry.kind()) {
                case CLAIM -> assertThat(claims.put(entry.item(), entry)).as("claimed twice").isNull();
                case FINISH -> {
                    assertThat(claims.get(entry.item())).as("claimed before it is finished")
                            .extracting(JournalEntry::nonce).isEqualTo(entry.nonce());
                    assertThat(done.add(entry.item())).as("finished twice").isTrue();
                }
            }
        }
        assertThat(finished).hasSize(ITEMS).allSatisfy(claim -> {
            assertThat(claims).containsEntry(claim.item(), claim);
            assertThat(done).contains(claim.item());
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "16, 1", "1, 100", "16, 7"})
    void everyAcknowledgedPair_isInTheJournal_inOrder(int tenants, int batch) throws Exception {
        Queue<JournalEntry> finished = new ConcurrentLinkedQueue<>();
        Path file = directory.resolve("journal");
        try (JournalLimit limit = new JournalLimit(file, tenants, ITEMS)) {
            work(limit, tenants, batch, finished);
        }
        check(file, finished);
    }

    @Test
    void everyAcknowledgedPair_survivesAPowerCut() throws Exception {
        assumeTrue(LabDisk.obstacle().isEmpty(), () -> LabDisk.obstacle().orElse(""));
        Queue<JournalEntry> finished = new ConcurrentLinkedQueue<>();
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts());
                JournalLimit limit = new JournalLimit(disk.root().resolve("journal"), 1, ITEMS)) {
            work(limit, 1, 1, finished);
            try (LabDisk after = PowerCut.of(disk)) {
                check(after.root().resolve("journal"), finished);
            }
        }
    }

    @Test
    void nothingIsAcknowledged_afterASyncHasFailed() throws IOException {
        assumeTrue(LabDisk.obstacle().isEmpty(), () -> LabDisk.obstacle().orElse(""));
        try (FailingDisk disk = FailingDisk.create(FailingDisk.Failure.DATA);
                JournalLimit limit = new JournalLimit(new JournalFile(disk.root().resolve("journal"), 0), 1, 1_000)) {
            limit.claim(0, 1);
            disk.startFailing();
            assertThatThrownBy(() -> limit.claim(0, 500)).isInstanceOf(IOException.class);
            disk.stopFailing();
            assertThatThrownBy(() -> limit.claim(0, 1)).as("although the disk works again")
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void read_stopsAtAFrameThatIsNotWhole() throws IOException {
        Path file = directory.resolve("journal");
        try (JournalLimit limit = new JournalLimit(file, 1, 10)) {
            limit.finish(0, limit.claim(0, 1));
            limit.claim(0, 3);
        }
        assertThat(JournalFile.read(file)).hasSize(5);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[]{77}), 2 * (8 + JournalEntry.BYTES) + 8 + 20);
        }
        assertThat(JournalFile.read(file)).hasSize(2);
    }

    @Test
    void measure_givesPairsPerSecond_andLeavesNothing() throws Exception {
        assertThat(JournalLimit.measure(directory, new PairLoad(8, 1, 1, 200))).isPositive();
        assertThat(directory).isEmptyDirectory();
    }
}
