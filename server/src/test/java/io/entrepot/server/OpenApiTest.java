package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.server.route.Route;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The description and the server say the same, both ways. (Every answer in the other tests is compared with it as well.) */
class OpenApiTest {
    @TempDir
    private Path directory;

    @Test
    void document_hasEveryRoute_andEveryOperationIsOne() {
        try (TestServer server = new TestServer(directory)) {
            List<String> routes = server.server().routes().routes().stream().map(Route::toString).sorted().toList();
            List<String> operations = server.description().operations().stream()
                    .map(each -> each.method() + " " + each.path()).sorted().toList();
            assertThat(operations).isEqualTo(routes);
        }
    }

    /** Answers are compared with the description by the client; what is not registered would be a 404 or 405 of another code. */
    @Test
    void everyOperation_isAnsweredAsDescribed() {
        try (TestServer server = new TestServer(directory)) {
            for (Description.Operation operation : server.description().operations()) {
                if (operation.id().equals("followEvents")) {
                    continue; // never ends; see EventsTest
                }
                String path = operation.path().replace("{tenant}", "default").replaceAll("\\{[a-z]+}", "none");
                Answered answer = server.call(operation.method(), path, "");
                assertThat(answer.status()).as(operation.id() + ": " + answer.text()).isLessThan(500);
                assertThat(answer.text()).as(operation.id()).doesNotContain("http.not-found")
                        .doesNotContain("http.method-not-allowed");
            }
        }
    }

    @Test
    void everyBody_whenItIsNotWhatIsWanted_isRefusedAsDescribed() {
        try (TestServer server = new TestServer(directory)) {
            for (Description.Operation operation : server.description().operations()) {
                if (!operation.node().path("requestBody").path("content").has("application/json")) {
                    continue;
                }
                String path = operation.path().replace("{tenant}", "default").replaceAll("\\{[a-z]+}",
                        "0000000000000001560508d6235a6de4");
                for (String body : List.of("{", "[]", "{\"nosuchfield\":1}", "{\"a\":1,\"a\":2}", "{} {}", "null",
                        "\"x\"")) {
                    Answered answer = server.call(operation.method(), path, body);
                    assertThat(answer.status()).as(operation.id() + " " + body + ": " + answer.text()).isIn(400, 404);
                }
                Answered answer = server.as(server.admin(), operation.method(), path, "x", "Content-Type",
                        "text/plain");
                assertThat(answer.status()).as(operation.id()).isIn(415, 404);
            }
        }
    }

    @Test
    void page_needsNothingFromElsewhere() {
        try (TestServer server = new TestServer(directory)) {
            String all = List.of("", "/docs.js", "/try.js", "/docs.css").stream()
                    .map(part -> server.as("", "GET", "/v1/docs"
                            + part, "").text())
                    .collect(Collectors.joining());
            assertThat(all).doesNotContain("http://").doesNotContain("https://").contains("/v1/openapi.json");
        }
    }
}
