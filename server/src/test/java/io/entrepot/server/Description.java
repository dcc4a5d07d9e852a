package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The OpenAPI document, to compare answers with: each must be one that is described there. */
record Description(JsonNode document) {

    record Operation(String method, String path, JsonNode node) {
        boolean matches(String otherMethod, String otherPath) {
            return method.equals(otherMethod)
                    && Pattern.matches(path.replaceAll("\\{[a-zA-Z]+}", "[^/]+"), otherPath);
        }

        String id() {
            return node.path("operationId").asText();
        }
    }

    List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        document.path("paths").properties().forEach(path -> path.getValue().properties().forEach(method -> all
                .add(new Operation(method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()))));
        return all;
    }

    /** The most exact one. */
    Optional<Operation> find(String method, String path) {
        return operations().stream().filter(each -> each.matches(method, path))
                .min((a, b) -> Integer.compare(a.path.replaceAll("[^{]", "").length(),
                        b.path.replaceAll("[^{]", "").length()));
    }

    void check(String method, String path, Answered answer) {
        Optional<Operation> operation = find(method, path);
        if (operation.isEmpty()) {
            assertThat(answer.status()).as(method + " " + path + " is not described").isIn(204, 400, 404, 405);
            return;
        }
        JsonNode response = operation.get().node.path("responses").path(Integer.toString(answer.status()));
        assertThat(response.isMissingNode()).as(method + " " + path + " answers " + answer.status()
                + ", which is not described: " + answer.text()).isFalse();
        String type = answer.header("Content-Type");
        if (method.equals("HEAD") || response.path("content").isEmpty()) {
            return;
        }
        Optional<JsonNode> content = response.path("content").properties().stream()
                .filter(each -> type.startsWith(each.getKey().replaceFirst(";.*", ""))).map(each -> each.getValue())
                .findFirst();
        assertThat(content).as(method + " " + path + " answers " + type).isPresent();
        if (content.get().has("schema")) {
            check(answer.json(), content.get().path("schema"), method + " " + path);
        }
        if (type.startsWith("application/problem+json")) {
            List<String> codes = new ArrayList<>();
            response.path("x-codes").forEach(code -> codes.add(code.asText()));
            assertThat(codes).as(method + " " + path).anyMatch(code -> answer.code().equals(code)
                    || answer.code().startsWith(code + "."));
        }
    }

    private void check(JsonNode value, JsonNode schema, String where) {
        if (schema.has("$ref")) {
            String name = schema.path("$ref").asText().replaceFirst(".*/", "");
            check(value, document.path("components").path("schemas").path(name), where);
            return;
        }
        if (schema.has("enum")) {
            List<String> words = new ArrayList<>();
            schema.path("enum").forEach(word -> words.add(word.asText()));
            assertThat(words).as(where).contains(value.asText());
        }
        switch (schema.path("type").asText()) {
            case "string" -> assertThat(value.isTextual()).as(where + " is a text: " + value).isTrue();
            case "boolean" -> assertThat(value.isBoolean()).as(where + " is a truth: " + value).isTrue();
            case "integer" -> assertThat(value.isIntegralNumber()).as(where + " is whole: " + value).isTrue();
            case "array" -> {
                assertThat(value.isArray()).as(where + " is a list: " + value).isTrue();
                value.forEach(each -> check(each, schema.path("items"), where + "[]"));
            }
            case "object" -> object(value, schema, where);
            default -> throw new AssertionError(where + ": " + schema);
        }
    }

    private void object(JsonNode value, JsonNode schema, String where) {
        assertThat(value.isObject()).as(where + " is an object: " + value).isTrue();
        schema.path("required").forEach(name -> assertThat(value.has(name.asText())).as(where + "." + name.asText())
                .isTrue());
        value.properties().forEach(field -> {
            JsonNode of = schema.path("properties").path(field.getKey());
            if (!of.isMissingNode()) {
                check(field.getValue(), of, where + "." + field.getKey());
            } else if (schema.path("additionalProperties").isObject()) {
                check(field.getValue(), schema.path("additionalProperties"), where + "." + field.getKey());
            } else {
                assertThat(schema.path("additionalProperties").isBoolean()).as(where + " has no field "
                        + field.getKey()).isFalse();
            }
        });
    }
}
