package io.entrepot.queue;

import static io.entrepot.queue.EarlierData.PAUSED;
import static io.entrepot.queue.EarlierData.Q;
import static io.entrepot.queue.EarlierData.TERM;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.contract.Clocks;
import io.entrepot.store.DataDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Data of every version of the tables so far can be opened, and means what it meant. See {@link EarlierData}. */
class EarlierVersionsTest {
    private static final Path DATA = Path.of("src", "test", "data");

    static IntStream versions() {
        return IntStream.rangeClosed(1, Queues.SCHEMA.version());
    }

    @ParameterizedTest
    @MethodSource("versions")
    void open_whenTheDataIsOfAnEarlierVersion_isAsItWasLeft(int version, @TempDir Path work) throws Exception {
        Path data = DATA.resolve("queue-" + version);
        assertThat(data).as("data of version %s; make it before the next version is begun", version).isDirectory();
        Properties names = names(data);
        Files.copy(data.resolve(DataDirectory.MAIN), work.resolve(DataDirectory.MAIN));
        Clocks clocks = new Clocks();
        try (DataDirectory directory = DataDirectory.open(work, EarlierData.storeConfig(clocks));
                Queues queues = Queues.open(directory, EarlierData.storeConfig(clocks), EarlierData.CONFIG)) {
            assertThat(directory.main().check().problems()).isEmpty();
            assertThat(queues.check()).isEmpty();
            assertThat(queues.statuses(Q.owner())).containsExactly(
                    new QueueStatus(Q, false, new QueueCounts(1, 1, 1, 1, 1)),
                    new QueueStatus(PAUSED, true, new QueueCounts(1, 0, 0, 0, 0)));
            views(queues, names);
            pasts(queues, names);
            if (version >= 4) {
                assertThat(queues.claim(EarlierData.claim("HELD"))).extracting(Claimed::lease)
                        .containsExactly(lease(names, "HELD"));
                assertThatExceptionOfType(IdempotencyConflictException.class)
                        .isThrownBy(() -> queues.claim(EarlierData.claim("finished")));
            }
            life(queues, names, clocks);
            assertThat(queues.check()).isEmpty();
        }
    }

    private static Properties names(Path data) throws IOException {
        Properties names = new Properties();
        try (InputStream in = Files.newInputStream(data.resolve(EarlierData.NAMES))) {
            names.load(in);
        }
        return names;
    }

    private static ItemId id(Properties names, String name) {
        return ItemId.parse(names.getProperty(name));
    }

    private static ItemLease lease(Properties names, String name) {
        return ItemLease.parse(names.getProperty(name + ".lease"));
    }

    private static void views(Queues queues, Properties names) {
        for (ItemState state : ItemState.values()) {
            ItemView view = queues.find(id(names, state.name())).orElseThrow();
            assertThat(view.state()).isEqualTo(state);
            assertThat(view.key()).contains(state.name());
            assertThat(view.payloadBytes()).isEqualTo(state.name().length());
            assertThat(queues.list(ListRequest.of(Q).in(state)).items()).containsExactly(view);
            assertThat(queues.history(view.id())).extracting(HistoryStep::what).startsWith("put", "claimed");
        }
        assertThat(queues.find(id(names, "DELAYED")).orElseThrow().lastError()).contains("broken 🐝");
        assertThat(queues.find(id(names, "HELD")).orElseThrow().holder()).contains("worker");
    }

    /** Outcomes, histories and keys are remembered. */
    private static void pasts(Queues queues, Properties names) {
        assertThat(queues.find(id(names, "finished"))).isEmpty();
        assertThat(queues.history(id(names, "finished"))).extracting(HistoryStep::what).containsExactly("put",
                "claimed", "finished");
        assertThat(queues.release(lease(names, "finished"))).satisfies(outcome -> {
            assertThat(outcome.kind()).isEqualTo(Outcome.Kind.FINISHED);
            assertThat(outcome.repeated()).isTrue();
        });
        assertThat(queues.finish(lease(names, "released")).kind()).isEqualTo(Outcome.Kind.RELEASED);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.finish(lease(names, "READY")));
        assertThat(queues.put(NewItem.of(Q, "finished".getBytes(UTF_8)).withKey("finished")))
                .isEqualTo(new Placed(id(names, "finished"), false));
        assertThatExceptionOfType(IdempotencyConflictException.class)
                .isThrownBy(() -> queues.put(NewItem.of(Q, new byte[0]).withKey("KEPT")));
    }

    /** And everything goes on. */
    private static void life(Queues queues, Properties names, Clocks clocks) throws InterruptedException {
        queues.renew(lease(names, "HELD"));
        assertThat(queues.finish(lease(names, "HELD")).repeated()).isFalse();
        assertThat(queues.put(NewItem.of(Q, new byte[0])).item().number()).isGreaterThan(id(names, "DEAD").number());
        clocks.pass(Duration.ofSeconds(10));
        queues.tick();
        assertThat(queues.find(id(names, "DELAYED")).orElseThrow().state()).isEqualTo(ItemState.READY);
        assertThat(queues.claim(ClaimRequest.of(PAUSED, "w", TERM))).isEmpty();
        queues.resume(PAUSED);
        assertThat(queues.claim(ClaimRequest.of(PAUSED, "w", TERM))).hasSize(1);
        assertThat(queues.retryDead(Q)).isEqualTo(1);
        assertThat(queues.claim(ClaimRequest.of(Q, "w", TERM).withMax(10))).hasSize(4);
    }
}
