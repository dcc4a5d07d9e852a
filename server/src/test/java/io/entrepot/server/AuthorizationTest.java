package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entrepot.config.Source;
import io.entrepot.server.access.Access;
import io.entrepot.server.access.Scope;
import io.entrepot.server.route.Method;
import io.entrepot.server.route.Route;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** For every route: no key, a wrong key, a wrong scope, another tenant. Made from the route table, so none is forgotten. */
class AuthorizationTest {
    private static final Map<Scope.Kind, String> KEYS = new EnumMap<>(Scope.Kind.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;
    @SuppressWarnings("NullAway.Init") // by start
    private static TestServer server;
    private static String otherScope = "";

    @BeforeAll
    static void start() {
        server = new TestServer(ServerSettings.read(Optional.empty(), Map.of(),
                List.of(new Source("test", Map.of("directory",
                        directory.toString(), "server.failures-per-minute", 0))))
                .value());
        server.post("/v1/tenants", "{\"id\":\"acme\"}");
        otherScope = server.key("agent", "view:read");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<Route> guarded() {
        return server.server().routes().routes().stream().filter(route -> route.access() != Access.PUBLIC);
    }

    static Stream<Route> ofTenants() {
        return guarded().filter(route -> route.access().isOfTenant());
    }

    static Stream<Route> scoped() {
        return guarded().filter(route -> route.access() != Access.ANY_KEY);
    }

    private static String path(Route route, String tenant) {
        return route.path().replace("{tenant}", tenant).replaceAll("\\{[a-z]+}", "0000000000000001560508d6235a6de4");
    }

    private static Answered call(Route route, String key, String tenant) {
        return server.as(key, route.method().name(), path(route, tenant), "");
    }

    private static void assertCode(Route route, Answered answer, int status, String code) {
        assertThat(answer.status()).as(route.toString()).isEqualTo(status);
        if (route.method() != Method.HEAD) {
            assertThat(answer.code()).as(route.toString()).isEqualTo(code);
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        }
    }

    @ParameterizedTest
    @MethodSource("guarded")
    void call_withoutKey_is401(Route route) {
        Answered answer = call(route, "", "acme");
        assertCode(route, answer, 401, "access.no-key");
        assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    }

    /** HEAD is GET without its body, for those who may not as well. */
    @ParameterizedTest
    @MethodSource("guarded")
    void head_withoutKey_is401(Route route) {
        if (route.method() == Method.GET) {
            Answered answer = server.send("HEAD", path(route, "acme"), "", BodyPublishers.noBody());
            assertThat(answer.status()).as(route.toString()).isEqualTo(401);
            assertThat(answer.header("X-Request-Id")).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("guarded")
    void call_withAWrongKey_is401(Route route) {
        String admin = server.admin();
        String wrong = admin.substring(0, admin.length() - 1) + (admin.endsWith("a") ? "b" : "a");
        assertCode(route, call(route, wrong, "acme"), 401, "access.invalid-key");
    }

    @ParameterizedTest
    @MethodSource("scoped")
    void call_withAKeyForSomethingElse_is403(Route route) {
        assertCode(route, call(route, otherScope, "acme"), 403, "access.forbidden");
    }

    @ParameterizedTest
    @MethodSource("ofTenants")
    void call_withAnotherScopeOfTheTenant_is403(Route route) {
        for (Scope.Kind kind : Scope.Kind.values()) {
            if (kind.name().matches("READ|WRITE|PROCESS") && !route.access().enough().contains(kind)) {
                String key = keyOf(kind);
                assertCode(route, call(route, key, "acme"), 403, "access.forbidden");
            }
        }
    }

    private static String keyOf(Scope.Kind kind) {
        return KEYS.computeIfAbsent(kind, it -> server.key("tenant:acme:" + it.name().toLowerCase(Locale.ROOT)));
    }

    /** The same words as for a tenant that is not there: nobody learns which tenants there are. */
    @ParameterizedTest
    @MethodSource("ofTenants")
    void call_forAnotherTenant_is404AsIfThereWereNone(Route route) {
        server.post("/v1/tenants", "{\"id\":\"other\"}");
        String key = KEYS.computeIfAbsent(Scope.Kind.ADMIN, _ -> server.key("tenant:acme:read", "tenant:acme:write",
                "tenant:acme:process"));

        Answered there = call(route, key, "other");
        Answered notThere = call(route, key, "nosuch");

        assertCode(route, there, 404, "pool.tenant-not-found");
        assertCode(route, notThere, 404, "pool.tenant-not-found");
        if (route.method() != Method.HEAD) {
            assertThat(withoutNames(there, "other")).isEqualTo(withoutNames(notThere, "nosuch"));
        }
    }

    private static String withoutNames(Answered answer, String tenant) {
        ObjectNode json = (ObjectNode) answer.json();
        json.remove("instance");
        return json.toString().replace(tenant, "TENANT");
    }

    @ParameterizedTest
    @MethodSource("scoped")
    void call_byAnAdmin_isNotRefusedForItsKey(Route route) {
        if (route.id().equals("followEvents")) {
            return; // never ends; see EventsTest
        }
        Answered answer = server.as(server.admin(), route.method().name(), path(route, "nosuch"), "");
        assertThat(answer.status()).as(route.toString()).isNotIn(401, 403);
        assertThat(answer.status()).as(route + ": " + answer.text()).isLessThan(500);
    }

    @Test
    void list_ofTenants_hasOnlyWhatTheKeyHasToDoWith() {
        Answered answer = server.as(keyOf(Scope.Kind.READ), "GET", "/v1/tenants", "");
        assertThat(answer.json().path("tenants")).hasSize(1);
        assertThat(answer.json().path("tenants").path(0).path("id").asText()).isEqualTo("acme");
    }

    @Test
    void claim_ofSeveralTenants_isCheckedForEach() {
        Answered answer = server.as(keyOf(Scope.Kind.PROCESS), "POST", "/v1/claims",
                "{\"tenants\":[\"acme\",\"default\"]}");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(server.as(keyOf(Scope.Kind.PROCESS), "POST", "/v1/claims", "{\"tenants\":[\"acme\"]}").status())
                .isEqualTo(200);
    }

    @Test
    void metrics_withAKeyForThem_areGiven() {
        Answered answer = server.as(server.key("metrics"), "GET", "/metrics", "");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).contains("entrepot_http_requests_seconds_count");
    }
}
