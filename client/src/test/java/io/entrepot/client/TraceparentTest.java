package io.entrepot.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TraceparentTest {
    private static final String ONE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void call_carriesTheTraceOfItsCaller_ifThereIsOne() throws Exception {
        List<Optional<String>> came = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            came.add(Optional.ofNullable(exchange.getRequestHeaders().getFirst("traceparent")));
            byte[] nothing = {'{', '}'};
            exchange.sendResponseHeaders(200, nothing.length);
            exchange.getResponseBody().write(nothing);
            exchange.close();
        });
        server.start();
        AtomicReference<Optional<String>> current = new AtomicReference<>(Optional.of(ONE));
        ClientConfig config = ClientConfig.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "ek_x")
                .withTraceparent(current::get);
        try (EntrepotClient client = EntrepotClient.connect(config)) {
            for (Optional<String> now : Arrays.asList(Optional.of(ONE), Optional.<String>empty(),
                    Optional.of("nonsense\r\nx: y"))) {
                current.set(now);
                assertThat(client.administration().me().fields()).isEmpty();
            }
        } finally {
            server.stop(0);
        }
        assertThat(came).containsExactly(Optional.of(ONE), Optional.empty(), Optional.empty());
    }
}
