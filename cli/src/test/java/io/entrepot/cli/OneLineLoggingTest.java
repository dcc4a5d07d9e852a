package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

class OneLineLoggingTest {

    @Test
    void warning_isOneLineOnStderr() {
        assertThat(logged(() -> LoggerFactory.getLogger("io.entrepot.store.Writer").warn("slow sync: {} ms", 900)))
                .isEqualTo("entrepot: warn: Writer: slow sync: 900 ms" + System.lineSeparator());
    }

    @Test
    void warningWithException_namesItWithoutStackTrace() {
        assertThat(
                logged(() -> LoggerFactory.getLogger("Writer").error("no sync", new IllegalStateException("closed"))))
                .isEqualTo("entrepot: error: Writer: no sync (java.lang.IllegalStateException: closed)"
                        + System.lineSeparator());
    }

    @Test
    void information_isNotShown() {
        assertThat(logged(() -> LoggerFactory.getLogger("io.entrepot.store.Writer").info("opened"))).isEmpty();
    }

    @Test
    void warning_ofARequest_saysWhichAndOfWhichTrace() {
        MDC.put("request", "r1");
        MDC.put("trace", "t1");
        try {
            assertThat(logged(() -> LoggerFactory.getLogger("Writer").warn("slow")))
                    .isEqualTo("entrepot: warn: Writer: slow [request r1] [trace t1]" + System.lineSeparator());
            assertThat(logged(() -> LoggerFactory.getLogger("Writer").warn("request r1 was slow")))
                    .isEqualTo("entrepot: warn: Writer: request r1 was slow [trace t1]" + System.lineSeparator());
        } finally {
            MDC.clear();
        }
    }

    private static String logged(Runnable action) {
        var bytes = new ByteArrayOutputStream();
        var before = System.err;
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
