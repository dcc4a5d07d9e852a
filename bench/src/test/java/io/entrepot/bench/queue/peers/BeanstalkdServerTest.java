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

class BeanstalkdServerTest {

    private static final String GREETING = "USING t\r\nWATCHING 2\r\nWATCHING 1\r\n";

    @TempDir
    Path directory;

    private BeanstalkdServer start() throws IOException {
        return BeanstalkdServer.start(directory, TestPrograms.orSkip(Programs::beanstalkd), 200);
    }

    @Test
    void beanstalkd_handsOutEachJobOnce() throws Exception {
        try (BeanstalkdServer beanstalkd = start()) {
            String tube = beanstalkd.fill(300);
            RoundTrip.empties(() -> beanstalkd.open(tube), 1, 300);
            String other = beanstalkd.fill(300);
            RoundTrip.empties(() -> beanstalkd.open(other), 100, 300);
        }
    }

    @Test
    void measure_doesNotSeeWhatWasLeft() throws Exception {
        try (BeanstalkdServer beanstalkd = start()) {
            beanstalkd.fill(50);
            assertThat(beanstalkd.measure(new PairLoad(8, 1, 1, 100))).isPositive();
        }
    }

    @Test
    void finish_isRefused_whenTheJobIsGone() throws Exception {
        try (BeanstalkdServer beanstalkd = start(); BeanstalkdLine line = beanstalkd.open("t")) {
            assertThatThrownBy(() -> line.finish(0, List.of(7L)))
                    .hasMessage("beanstalkd answered NOT_FOUND where DELETED was expected");
        }
    }

    @Test
    void answer_thatIsNoAnswer_isSaid() throws Exception {
        assertThat(claimFrom("RESERVED 7 2\r\nhi\r\nTIMED_OUT\r\n")).containsExactly(7L);
        assertThatThrownBy(() -> claimFrom("OUT_OF_MEMORY\r\n"))
                .hasMessage("beanstalkd answered OUT_OF_MEMORY where RESERVED was expected");
        assertThatThrownBy(() -> claimFrom("RESERVED seven\r\n")).hasMessageContaining("without an id and a size");
        assertThatThrownBy(() -> claimFrom("RESERVED 7 1\r\nlong\r\n")).hasMessageContaining("longer than it said");
        assertThatThrownBy(() -> claimFrom("RESERV")).hasMessageContaining("in the middle of an answer");
    }

    private static List<Long> claimFrom(String answer) throws IOException {
        try (CannedServer server = new CannedServer(GREETING + answer);
                BeanstalkdLine line = new BeanstalkdLine(server.address(), "t")) {
            return line.claim(0, 2);
        }
    }
}
