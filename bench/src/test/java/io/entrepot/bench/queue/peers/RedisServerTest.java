package io.entrepot.bench.queue.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.bench.peers.Programs;
import io.entrepot.bench.peers.TestPrograms;
import io.entrepot.bench.queue.PairLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisServerTest {

    @TempDir
    Path directory;

    private RedisServer start() throws IOException {
        return RedisServer.start(directory, TestPrograms.orSkip(Programs::redis));
    }

    @Test
    void redis_handsOutEachIdOnce() throws Exception {
        try (RedisServer redis = start()) {
            redis.fill(400);
            RoundTrip.empties(redis::open, 1, 400);
            redis.fill(400);
            RoundTrip.empties(redis::open, 100, 400);
        }
    }

    @Test
    void redis_syncsBeforeItAnswers() throws Exception {
        try (RedisServer redis = start(); RespConnection connection = redis.connect()) {
            assertThat(connection.askForList(List.of("CONFIG", "GET", "append*"))).contains("always", "yes");
        }
    }

    @Test
    void measure_forgetsWhatWasLeft() throws Exception {
        try (RedisServer redis = start()) {
            redis.fill(50);
            assertThat(redis.measure(new PairLoad(8, 16, 1, 100))).isPositive();
            try (RedisLine line = redis.open()) {
                assertThat(line.claim(0, 1)).isEmpty();
            }
        }
    }

    @Test
    void finish_isRefused_whenTheIdIsNotHeld() throws Exception {
        try (RedisServer redis = start(); RedisLine line = redis.open()) {
            assertThatThrownBy(() -> line.finish(0, List.of(7L))).hasMessage("Redis removed 0 of [7]");
        }
    }

    @Test
    void answer_thatIsNoAnswer_isSaid() throws Exception {
        assertThat(answerTo("+OK\r\n")).isEqualTo("OK");
        assertThat(answerTo("$2\r\nhi\r\n")).isEqualTo("hi");
        assertThat(answerTo(":3\r\n")).isEqualTo("3");
        assertThatThrownBy(() -> answerTo("-ERR no\r\n")).hasMessage("Redis refused: ERR no");
        assertThatThrownBy(() -> answerTo("*1\r\n")).hasMessageContaining("where a text or a number was expected");
        assertThatThrownBy(() -> answerTo("$x\r\n")).hasMessageContaining("no number: $x");
        assertThatThrownBy(() -> answerTo("$-1\r\n")).hasMessageContaining("nothing where a text");
        assertThatThrownBy(() -> answerTo("$1\r\nlong\r\n")).hasMessageContaining("longer than it said");
        assertThatThrownBy(() -> answerTo("+O")).hasMessageContaining("in the middle of an answer");
    }

    private static String answerTo(String answer) throws IOException {
        try (CannedServer server = new CannedServer(answer);
                RespConnection connection = new RespConnection(server.address())) {
            return connection.ask(List.of("PING"));
        }
    }

    @Test
    void list_isRefused_whenItIsNone() throws Exception {
        try (CannedServer server = new CannedServer("+OK\r\n");
                RespConnection connection = new RespConnection(server.address())) {
            assertThatThrownBy(() -> connection.askForList(List.of("PING")))
                    .hasMessageContaining("a list was expected");
        }
    }
}
