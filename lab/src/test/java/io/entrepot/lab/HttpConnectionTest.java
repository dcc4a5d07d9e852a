package io.entrepot.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpConnectionTest {
    private static final byte[] BODY = "body".getBytes(StandardCharsets.UTF_8);

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("X-Method", exchange.getRequestMethod());
            exchange.sendResponseHeaders(201, exchange.getRequestURI().getPath().equals("/chunks") ? 0 : body.length);
            if (exchange.getRequestURI().getPath().equals("/short")) {
                throw new IOException("the rest does not come");
            }
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private HttpConnection connect() throws IOException {
        return new HttpConnection(server.getAddress(), Duration.ofSeconds(10));
    }

    @Test
    void ask_overOneConnection_getsEachAnswer() throws IOException {
        try (HttpConnection connection = connect()) {
            for (String path : List.of("/length", "/chunks", "/length")) {
                HttpConnection.Answer answer = connection.ask("PUT", path, List.of("X: y"), BODY);
                assertThat(answer.status()).isEqualTo(201);
                assertThat(answer.text()).isEqualTo("body");
                assertThat(answer.header("X-METHOD")).isEqualTo("PUT");
            }
        }
    }

    @Test
    void ask_whenTheAnswerIsCutOff_doesNotTakeItForWhole() throws IOException {
        try (HttpConnection connection = connect()) {
            assertThatThrownBy(() -> connection.ask("PUT", "/short", List.of(), BODY))
                    .isInstanceOf(EOFException.class);
        }
    }
}
