package com.example.invoices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.pool.TenantId;
import io.entrepot.server.Server;
import io.entrepot.server.ServerConfig;
import io.entrepot.server.access.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The same application against a real server, and with the pool in its own process. */
class InvoicesApplicationTest {
    private static final int INVOICES = 40;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path data;

    @Test
    void invoices_withAServer_areBookedOnceEach() throws Exception {
        try (Server server = Server.start(ServerConfig.in(data).withPort(0))) {
            try (ConfigurableApplicationContext application = run("--entrepot.server.url=" + server.address(),
                    "--entrepot.server.key=" + server.firstKey().map(Secret::written).orElseThrow())) {
                bookAll(application);
                await().untilAsserted(() -> assertThat(server.pool().tenants().usage(TenantId.DEFAULT).files())
                        .isZero());
            }
        }
    }

    @Test
    void invoices_withThePoolInTheProcess_areBookedOnceEach() throws Exception {
        try (ConfigurableApplicationContext application = run("--spring.profiles.active=embedded",
                "--entrepot.embedded.directory=" + data)) {
            bookAll(application);
        }
    }

    private static ConfigurableApplicationContext run(String... settings) {
        return new SpringApplicationBuilder(InvoicesApplication.class).properties("spring.main.banner-mode=off")
                .run(with(settings, "--server.port=0"));
    }

    private static String[] with(String[] settings, String more) {
        String[] all = Arrays.copyOf(settings, settings.length + 1);
        all[settings.length] = more;
        return all;
    }

    private static void bookAll(ConfigurableApplicationContext application) throws Exception {
        URI base = URI.create("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port"));
        for (int i = 0; i < INVOICES; i++) {
            HttpRequest put = HttpRequest.newBuilder(base.resolve("/invoices/invoice-" + i + ".pdf"))
                    .PUT(BodyPublishers.ofByteArray(new byte[100 + i])).build();
            assertThat(send(put).statusCode()).isEqualTo(201);
            assertThat(send(put).statusCode()).isEqualTo(201); // the same again is the same invoice
        }
        Ledger ledger = application.getBean(Ledger.class);
        await().atMost(Duration.ofSeconds(30)).until(() -> ledger.booked().size() == INVOICES);
        assertThat(ledger.bookings()).isEqualTo(INVOICES);
        assertThat(ledger.booked()).containsEntry("invoice-7.pdf", 107L);
        HttpResponse<String> health = send(HttpRequest.newBuilder(base.resolve("/actuator/health")).build());
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"entrepot\"", "booking.book");
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return HTTP.send(request, BodyHandlers.ofString());
    }
}
