package io.entrepot.client;

import static io.entrepot.client.FilePoolContract.ACME;
import static io.entrepot.client.FilePoolContract.bytes;
import static io.entrepot.client.FilePoolContract.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UnknownOutcomeException;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.pool.process.ProcessOptions;
import io.entrepot.pool.process.Processing;
import io.entrepot.store.Advice;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that break, in every direction and at every moment, and a server that goes away and comes back. */
class BrokenConnectionsTest {
    @TempDir
    Path directory;

    private RunningServer server;
    private Cutter cutter;
    private EntrepotClient client;

    @BeforeEach
    void open() throws Exception {
        server = new RunningServer(directory.resolve("data"));
        server.pool().tenants().create(ACME);
        cutter = new Cutter(server.port());
        client = EntrepotClient.connect(server.config(cutter));
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        cutter.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 100, 50_000})
    void write_whenTheRequestIsCut_isSentAgainAndIsOneFile(long after) throws Exception {
        cutter.cutRequests(after, 2);
        StoredFile stored = client.files().write(ACME, NewFile.named("a"), bytes(100_000));
        assertThat(cutter.cuts()).isEqualTo(2);
        assertThat(stored.created()).isTrue();
        assertThat(onlyFile()).isEqualTo(stored.key());
    }

    @Test
    void write_whenTheAnswerIsLost_isSentAgainAndIsOneFile() throws Exception {
        cutter.cutAnswers(0, 2);
        StoredFile stored = client.files().write(ACME, NewFile.named("a"), bytes(10_000));
        assertThat(cutter.cuts()).isEqualTo(2);
        assertThat(stored.created()).isTrue();
        assertThat(onlyFile()).isEqualTo(stored.key());
    }

    @Test
    void write_ofALargeFileWhenTheRequestIsCut_isReadAndSentAgain() throws Exception {
        Path source = directory.resolve("large");
        Files.write(source, bytes(6_000_000));
        cutter.cutRequests(3_000_000, 1);
        StoredFile first = client.files().write(ACME, NewFile.named("a"), source);
        cutter.cutRequests(2_000_000, 1);
        StoredFile second;
        try (FileInputStream in = new FileInputStream(source.toFile())) {
            second = client.files().write(ACME, NewFile.named("b"), in);
        }
        assertThat(cutter.cuts()).isEqualTo(2);
        assertThat(second.sha256()).isEqualTo(first.sha256());
        assertThat(files()).hasSize(2);
    }

    @Test
    void write_ofAStreamThatCannotBeReadAgain_saysThatNothingWasStored() {
        // More than the buffers on the way hold: else all of it may have gone out before the cut is seen.
        cutter.cutRequests(2_000_000, 1);
        assertThatThrownBy(() -> client.files().write(ACME, NewFile.named("a"), stream(new byte[64 << 20])))
                .isInstanceOfSatisfying(PoolUnavailableException.class, e -> {
                    assertThat(e.code()).isEqualTo("pool.unavailable.unreachable");
                    assertThat(e.advice()).isEqualTo(Advice.RETRY);
                });
        assertThat(files()).isEmpty();
    }

    @Test
    void write_ofAStreamThatCannotBeReadAgainAndWhoseAnswerIsLost_saysThatNothingIsKnown() {
        // What comes first is "100 Continue", in one piece; then the answer.
        cutter.cutAnswers(30, 1);
        assertThatThrownBy(() -> client.files().write(ACME, NewFile.named("a"), stream(bytes(3_000_000))))
                .isInstanceOf(UnknownOutcomeException.class);
        await().untilAsserted(() -> assertThat(files()).hasSize(1));
    }

    @Test
    void read_whenTheAnswerIsCut_goesOnWhereItWas() throws Exception {
        byte[] bytes = bytes(5_000_000);
        FileKey key = server.pool().files().write(ACME, NewFile.named("a"), bytes).key();
        cutter.cutAnswers(1_000_000, 4);
        try (FileContent content = client.files().open(ACME, key); InputStream in = content.verifiedStream()) {
            assertThat(in.readAllBytes()).isEqualTo(bytes);
        }
        assertThat(cutter.cuts()).isEqualTo(4);
    }

    @Test
    void read_whenTheFileIsGoneMeanwhile_saysSo() throws Exception {
        FileKey key = server.pool().files().write(ACME, NewFile.named("a"), bytes(9_000_000)).key();
        cutter.cutAnswers(1_000_000, 1);
        try (FileContent content = client.files().open(ACME, key)) {
            server.pool().files().delete(ACME, key, "test");
            assertThatThrownBy(() -> content.stream().readAllBytes()).isInstanceOf(IOException.class)
                    .hasMessageContaining("has no file");
        }
    }

    @Test
    void complete_whenTheAnswerIsLost_givesTheOutcomeAllTheSame() throws Exception {
        FileKey key = client.files().write(ACME, NewFile.named("a"), bytes(10)).key();
        FileLease lease = client.work().claim(ACME, "w").orElseThrow().lease();
        cutter.cutAnswers(0, 1);
        FileOutcome outcome = client.work().complete(lease);
        assertThat(cutter.cuts()).isEqualTo(1);
        assertThat(outcome.kind()).isEqualTo(FileOutcome.Kind.COMPLETED);
        assertThat(outcome.repeated()).isTrue();
        assertThat(server.pool().files().find(ACME, key)).isEmpty();
    }

    private List<FileKey> leased() {
        return files().stream()
                .filter(key -> server.pool().work().status(ACME, key) == FileStatus.PROCESSING).toList();
    }

    private void write(int files) throws Exception {
        for (int i = 0; i < files; i++) {
            server.pool().files().write(ACME, NewFile.named("f" + i), bytes(10));
        }
    }

    @Test
    void claim_whenTheAnswerIsLost_givesTheFilesThatItGot() throws Exception {
        write(5);
        cutter.cutAnswers(0, 2);
        List<ClaimedFile> claimed = client.work().claim(ClaimOrder.of(ACME, "w").withMax(2));
        assertThat(cutter.cuts()).isEqualTo(2);
        assertThat(claimed).hasSize(2);
        assertThat(leased()).hasSize(2);
        claimed.forEach(one -> client.work().complete(one.lease()));
        cutter.cutAnswers(0, 1);
        assertThat(client.work().claim(ClaimOrder.of(ACME, "w").withMax(9).waiting(Duration.ofSeconds(20)))).hasSize(3);
    }

    @Test
    void claim_whenTheConnectionIsCutWhileItWaits_takesOneFile() throws Exception {
        Crowd<List<ClaimedFile>> waiting = Crowd.start(1,
                _ -> client.work().claim(ClaimOrder.of(ACME, "w").waiting(Duration.ofSeconds(30))));
        await().until(() -> cutter.connections() > 0);
        int before = cutter.connections();
        cutter.cutAnswers(Long.MAX_VALUE, 0); // closes what is open; the server does not know, and waits on
        await().until(() -> cutter.connections() > before);
        write(3);
        assertThat(waiting.results().getFirst()).hasSize(1);
        assertThat(leased()).hasSize(1);
    }

    @Test
    void claimOfOne_whenTheAnswerIsLost_givesTheFile() throws Exception {
        write(1);
        cutter.cutAnswers(0, 1);
        ClaimedFile claimed = client.work().claim(ACME, onlyFile(), "w", Duration.ofMinutes(1));
        assertThat(cutter.cuts()).isEqualTo(1);
        assertThat(client.work().complete(claimed.lease()).kind()).isEqualTo(FileOutcome.Kind.COMPLETED);
    }

    @Test
    void claim_whenNothingIsKnownOfAnEarlierOne_getsWhatThatGot() throws Exception {
        write(5);
        ClaimOrder order = ClaimOrder.of(ACME, "w").withMax(2);
        try (EntrepotClient impatient = EntrepotClient.connect(server.config(cutter).withDeadline(Duration.ZERO))) {
            cutter.cutAnswers(0, 1);
            assertThatThrownBy(() -> impatient.work().claim(order)).isInstanceOf(UnknownOutcomeException.class);
            assertThat(leased()).hasSize(2);
            assertThat(impatient.work().claim(ClaimOrder.of(ACME, "other"))).as("another claim").hasSize(1);
            List<ClaimedFile> claimed = impatient.work().claim(order.waiting(Duration.ofSeconds(1)));
            assertThat(claimed).hasSize(2);
            assertThat(leased()).hasSize(3);
            assertThat(impatient.work().claim(order)).as("and that one once").hasSize(2);
        }
    }

    @Test
    void claim_whenWhatALostOneGotIsOver_getsOthers() throws Exception {
        write(2);
        ClaimOrder order = ClaimOrder.of(ACME, "w");
        try (EntrepotClient impatient = EntrepotClient.connect(server.config(cutter).withDeadline(Duration.ZERO))) {
            cutter.cutAnswers(0, 1);
            assertThatThrownBy(() -> impatient.work().claim(order)).isInstanceOf(UnknownOutcomeException.class);
            FileKey lost = leased().getFirst();
            server.pool().files().delete(ACME, lost, "test");
            assertThat(impatient.work().claim(order)).hasSize(1);
        }
    }

    @Test
    void process_whenAnswersAreLostAgainAndAgain_handlesEachFileOnce() throws Exception {
        write(60);
        ConcurrentLinkedQueue<FileKey> handled = new ConcurrentLinkedQueue<>();
        AtomicInteger count = new AtomicInteger();
        // Leases as long as a test may never take: what is lost would stay so.
        try (Processing processing = client.process(ProcessOptions.of(ACME, 4).withTerm(Duration.ofHours(1)), task -> {
            handled.add(task.file().key());
            int now = count.incrementAndGet();
            if (now % 5 == 0) { // the answer that comes next, which is at the latest that this file is completed
                cutter.cutAnswers(now * 97 % 250, 1);
            }
        })) {
            await().atMost(Duration.ofSeconds(60)).until(() -> files().isEmpty());
            assertThat(processing.awaitIdle(Duration.ofSeconds(20))).isTrue();
        }
        assertThat(cutter.cuts()).isGreaterThan(5);
        assertThat(handled).hasSize(60).doesNotHaveDuplicates();
    }

    @Test
    void call_thatMustNotBeRepeated_saysThatNothingIsKnown() {
        cutter.cutAnswers(0, 1);
        TenantId tenant = new TenantId("new");
        assertThatThrownBy(() -> client.administration().createTenant(tenant,
                io.entrepot.pool.TenantLimits.NONE, false)).isInstanceOfSatisfying(UnknownOutcomeException.class,
                        e -> assertThat(e.advice()).isEqualTo(Advice.UNKNOWN));
        assertThat(server.pool().tenants().find(tenant)).isPresent();
    }

    @Test
    void delete_whenTheAnswerIsLost_isDone() throws Exception {
        FileKey key = client.files().write(ACME, NewFile.named("a"), bytes(10)).key();
        cutter.cutAnswers(0, 1);
        client.files().delete(ACME, key, "test");
        assertThat(cutter.cuts()).isEqualTo(1);
        assertThat(server.pool().files().find(ACME, key)).isEmpty();
    }

    @Test
    void listen_whenTheConnectionIsCut_leavesNothingOutAndTellsNothingTwice() throws Exception {
        ConcurrentLinkedQueue<PoolEvent> heard = new ConcurrentLinkedQueue<>();
        List<String> written = new ArrayList<>();
        try (Listening listening = client.listen(EventFilter.all().of("file.written"), heard::add)) {
            for (int round = 0; round < 5; round++) {
                cutter.cutAnswers(Long.MAX_VALUE, 0); // closes what is open
                for (int i = 0; i < 10; i++) {
                    written.add(server.pool().files().write(ACME, NewFile.named("f"), bytes(1)).key().toString());
                }
                int all = written.size();
                await().atMost(Duration.ofSeconds(30)).until(() -> heard.size() >= all);
            }
            assertThat(heard).extracting(PoolEvent::subject).containsExactlyElementsOf(written);
            assertThat(listening.missed()).isZero();
        }
    }

    @Test
    void everything_whenTheServerIsStartedAgain_goesOn() throws Exception {
        ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<PoolEvent> heard = new ConcurrentLinkedQueue<>();
        try (EntrepotClient direct = server.client();
                Listening _ = direct.listen(EventFilter.all().of("file.written"), heard::add);
                Processing processing = direct.process(ACME, 4,
                        task -> handled.add(task.file().name().orElseThrow()))) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                if (i == 20) {
                    server.stop();
                    Thread.ofVirtual().start(() -> {
                        try {
                            server.startAgain();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    });
                }
                names.add("f" + i);
                direct.files().write(ACME, NewFile.named("f" + i), bytes(10));
            }
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(handled).containsExactlyInAnyOrderElementsOf(names);
                assertThat(heard).hasSize(40);
            });
            await().untilAsserted(() -> assertThat(processing.status().running()).isEmpty());
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void call_whenThereIsNoServer_saysSoWithinItsDeadline() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        try (EntrepotClient lonely = EntrepotClient.connect(ClientConfig.of(URI.create("http://127.0.0.1:" + free),
                "ek_secret_key").withDeadline(Duration.ofMillis(300)))) {
            assertThatThrownBy(() -> lonely.files().list(FileQuery.of(ACME)))
                    .isInstanceOfSatisfying(PoolUnavailableException.class, e -> {
                        assertThat(e.code()).isEqualTo("pool.unavailable.unreachable");
                        assertThat(e).hasMessageNotContaining("ek_secret_key");
                    });
            assertThatThrownBy(() -> lonely.call("POST", "/v1/tenants", Optional.empty()))
                    .isInstanceOf(PoolUnavailableException.class);
        }
    }

    @Test
    void call_whenTheServerFallsSilent_isGivenUp() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                EntrepotClient patient = EntrepotClient.connect(ClientConfig.of(URI.create("http://127.0.0.1:"
                        + silent.getLocalPort()), "ek_x").withIdleTimeout(Duration.ofMillis(200))
                        .withDeadline(Duration.ofMillis(500)))) {
            assertThatThrownBy(() -> patient.files().list(FileQuery.of(ACME)))
                    .isInstanceOf(PoolUnavailableException.class).hasMessageContaining("no answer came");
            assertThatThrownBy(() -> patient.files().write(ACME, NewFile.named("a"), stream(bytes(3_000_000))))
                    .isInstanceOf(PoolUnavailableException.class);
            assertThatThrownBy(() -> patient.files().write(ACME, NewFile.named("a"), bytes(10)))
                    .isInstanceOf(UnknownOutcomeException.class);
        }
    }

    private List<FileKey> files() {
        return server.pool().files().list(FileQuery.of(ACME)).files().stream().map(file -> file.key()).toList();
    }

    private FileKey onlyFile() {
        assertThat(files()).hasSize(1);
        return files().getFirst();
    }
}
