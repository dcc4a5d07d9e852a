package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.watch.WatcherSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard for Grafana asks for figures that there are. */
class DashboardTest {
    private static final Pattern METRIC = Pattern.compile("\\b(?:entrepot|jvm|process|system)_[a-z_]+");
    private static final String TENANT = "/v1/tenants/default/";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void everyFigureOfTheDashboard_isAtMetrics() throws Exception {
        JsonNode dashboard = Answered.MAPPER.readTree(Path.of("../distribution/share/grafana-dashboard.json").toFile());
        Set<String> asked = new TreeSet<>();
        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : dashboard.path("panels")) {
            assertThat(ids.add(panel.path("id").asInt())).as("an id twice").isTrue();
            panel.path("targets").forEach(target -> collect(target.path("expr").asText(), asked));
        }
        dashboard.path("templating").path("list")
                .forEach(variable -> collect(variable.path("query").path("query").asText(), asked));
        assertThat(asked).hasSizeGreaterThan(30);
        try (TestServer server = new TestServer(directory)) {
            bringIn(server);
            live(server);
            // Gauges of what is new come with the next reading, which is seconds later.
            await().untilAsserted(() -> assertThat(figures(server)).containsAll(asked));
        }
    }

    private static Set<String> figures(TestServer server) {
        return server.get("/metrics").text().lines().filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0]).collect(Collectors.toSet());
    }

    private static void collect(String query, Set<String> into) {
        Matcher names = METRIC.matcher(query);
        while (names.find()) {
            into.add(names.group());
        }
    }

    /** Counters are there from the first time that something happens: everything that is counted does. */
    private static void live(TestServer server) {
        end(server, "complete", "");
        end(server, "release", "");
        end(server, "fail", ",\"error\":\"no\"");
        end(server, "fail", ",\"error\":\"no\",\"retryable\":false");
        server.put("default", "x", new byte[10]);
        server.post(TENANT + "claims", "{\"lease\":\"1s\"}");
        await().until(() -> server.get("/metrics").text().contains("entrepot_pool_files_expired_total{"));
    }

    /** A file that is imported, and one that its tenant cannot have; the second file is warned of. */
    private void bringIn(TestServer server) throws Exception {
        server.pool().tenants().setLimits(TenantId.DEFAULT,
                TenantLimits.NONE.withFiles(10).withBytes(1000).warningAt(10));
        Files.writeString(folder.resolve("good.txt"), "x");
        Files.write(folder.resolve("large.txt"), new byte[1001]);
        server.pool().watchers().add(WatcherSpec.ofTenant("in", TenantId.DEFAULT, folder)
                .withMinFileAge(Duration.ofMillis(10)));
        await().until(() -> {
            String figures = server.get("/metrics").text();
            return figures.contains("entrepot_pool_import_files_total{")
                    && figures.contains("entrepot_pool_import_failures_total{");
        });
    }

    private static void end(TestServer server, String how, String more) {
        server.put("default", "x", new byte[10]);
        String lease = server.post(TENANT + "claims", "{}").json().path("files").path(0).path("lease").asText();
        Answered answer = server.post(TENANT + "leases/" + how, "{\"leases\":[\"" + lease + "\"]" + more + "}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }
}
