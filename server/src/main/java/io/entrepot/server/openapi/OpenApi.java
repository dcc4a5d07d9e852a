package io.entrepot.server.openapi;

import io.entrepot.server.access.Access;
import io.entrepot.server.json.Form;
import io.entrepot.server.json.Input;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.Problem;
import io.entrepot.server.route.Route;
import io.entrepot.server.route.RouteTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The route table as an OpenAPI 3.1 document. For one thread. */
public final class OpenApi {
    private static final Map<String, String> PARAMETERS = Map.of("tenant", "A tenant.", "key", "A file's key.",
            "upload",
            "An upload.", "volume", "A volume.", "watcher", "A watcher.", "job", "A job.", "id", "The id of a key.",
            "webhook", "A webhook.", "letter", "The number of a dead letter.");

    private final RouteTable table;
    private final Schemas schemas = new Schemas();

    private OpenApi(RouteTable table) {
        this.table = table;
    }

    /** As plain values. */
    public static Map<String, Object> of(RouteTable table) {
        return new OpenApi(table).document();
    }

    private Map<String, Object> document() {
        Map<String, Object> paths = new LinkedHashMap<>();
        for (Route route : table.routes()) {
            @SuppressWarnings("unchecked")
            Map<String, Object> path = (Map<String, Object>) paths.computeIfAbsent(route.path(),
                    _ -> new LinkedHashMap<String, Object>());
            path.put(route.method().name().toLowerCase(Locale.ROOT), operation(route));
        }
        Map<String, Object> components = new LinkedHashMap<>();
        components.put("securitySchemes", Map.of("key", Map.of("type", "http", "scheme", "bearer", "description",
                "An API key: ek_ID_SECRET.")));
        components.put("schemas", schemas.all());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", Map.of("title", "Entrepot", "version", "1", "description",
                "Files in, each handed to exactly one worker, nothing lost. What goes wrong is told as"
                        + " application/problem+json with a stable code."));
        document.put("servers", List.of(Map.of("url", "/")));
        document.put("paths", paths);
        document.put("components", components);
        return document;
    }

    private Map<String, Object> operation(Route route) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("operationId", route.id());
        operation.put("summary", route.summary());
        operation.put("tags", List.of(route.tag()));
        operation.put("x-access", route.access().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        operation.put("x-audited", route.audited());
        operation.put("security", route.access() == Access.PUBLIC
                ? List.of()
                : List.of(Map.of("key", List.of())));
        List<Object> parameters = new ArrayList<>();
        route.parameters().forEach(name -> parameters.add(Map.of("name", name, "in", "path", "required", true,
                "description", PARAMETERS.getOrDefault(name, ""), "schema", Map.of("type", "string"))));
        route.query().forEach(input -> parameters.add(parameter(input, "query")));
        route.headers().forEach(input -> parameters.add(parameter(input, "header")));
        operation.put("parameters", parameters);
        route.takes().ifPresent(takes -> operation.put("requestBody", body(takes)));
        operation.put("responses", responses(route));
        return operation;
    }

    private Map<String, Object> parameter(Input<?> input, String in) {
        Form.Field field = input.field();
        return Map.of("name", field.name(), "in", in, "required", field.required(), "description", field.meaning(),
                "schema", schemas.of(field.type()));
    }

    private Map<String, Object> body(Route.Takes takes) {
        Map<String, Object> content = new LinkedHashMap<>();
        takes.mediaTypes().forEach(type -> content.put(type, takes.form()
                .map(form -> Map.<String, Object>of("schema", schemas.of(form))).orElse(Map.of())));
        return Map.of("required", takes.required(), "description", takes.meaning(), "content", content);
    }

    private Map<String, Object> responses(Route route) {
        Map<String, Object> responses = new TreeMap<>();
        for (Route.Gives gives : route.gives()) {
            Map<String, Object> response = new LinkedHashMap<>();
            response.put("description", gives.meaning());
            if (!gives.mediaType().isEmpty()) {
                response.put("content", Map.of(gives.mediaType(), gives.form()
                        .filter(_ -> gives.mediaType().equals("application/json"))
                        .map(form -> Map.<String, Object>of("schema", schemas.of(form))).orElse(Map.of())));
            }
            gives.form().ifPresent(schemas::of);
            responses.put(Integer.toString(gives.status()), response);
        }
        Map<Integer, List<String>> codes = new TreeMap<>();
        for (Code code : route.allProblems()) {
            codes.computeIfAbsent(code.status(), _ -> new ArrayList<>()).add(code.text());
        }
        codes.forEach((status, texts) -> responses.merge(status.toString(), problem(texts), OpenApi::both));
        return responses;
    }

    private Map<String, Object> problem(List<String> codes) {
        List<String> sorted = codes.stream().sorted().toList();
        return Map.of("description", String.join(", ", sorted), "x-codes", sorted, "content",
                Map.of(Problem.MEDIA_TYPE, Map.of("schema", schemas.of(Problem.ANSWER))));
    }

    /** One status may be an answer and a problem. */
    @SuppressWarnings("unchecked")
    private static Object both(Object answer, Object problem) {
        Map<String, Object> one = new LinkedHashMap<>((Map<String, Object>) answer);
        Map<String, Object> other = (Map<String, Object>) problem;
        Map<String, Object> content = new LinkedHashMap<>((Map<String, Object>) one.getOrDefault("content", Map.of()));
        content.putAll((Map<String, Object>) other.getOrDefault("content", Map.of()));
        one.put("content", content);
        one.put("x-codes", other.getOrDefault("x-codes", List.of()));
        return one;
    }
}
