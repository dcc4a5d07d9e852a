package io.entrepot.chaos.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Values that nearly are what a schema wants, and some that are nothing of the kind. None is a path from the root, so that nothing of
 * this machine is ever watched or taken for a volume. Use by one thread.
 */
final class OddValues {
    private static final List<String> TEXTS = List.of("", " ", "a", RudeRounds.FUZZ, "A", "..", "../../etc/passwd", ".",
            "a/b", "a//b", "\u0000", "a\u0000b", "\r\nX: y", "\ud83d\ude00", "\u202egpj.exe", "e\u0301\u0300",
            "\uffff", "\u2028", "' OR 1=1 --", "\"", "%00", "%", "null", "true", "-1", "0", "1", "9223372036854775807",
            "9223372036854775808", "1e309", "NaN", "PT-1S", "PT1S", "0s", "1s", "-1s", "P1000000000D",
            "99999999999999999999d", "0001-01-01T00:00:00Z", "+1000000000-12-31T23:59:59Z", "2030-01-01T00:00:00Z",
            "a=b", "=", "=b", "bytes=0-", "bytes=-0", "bytes=9-1", "bytes=0-99999999999999999999", "\"x\"", "W/\"x\"",
            "*?*", "[", "{", "x".repeat(300), "\u00e9".repeat(2_000), "0".repeat(32), "f".repeat(40),
            RudeRounds.FUZZ + "/" + "0".repeat(32) + "@1-1", RudeRounds.FUZZ + "/x@-1-z", "admin",
            "tenant:fuzz:read", "tenant:*", "fuzz-*/x/*");
    private static final List<String> NUMBERS = List.of("0", "1", "-1", "2147483648", "9223372036854775807",
            "9223372036854775808", "-9223372036854775809", "1e400", "0.5", "1E-400", "99999999999999999999999999");
    private static final int DEEPEST = 4;

    private final JsonNode schemas;
    private final Random random;

    /** @param schemas those that others refer to, by name */
    OddValues(JsonNode schemas, Random random) {
        this.schemas = schemas;
        this.random = random;
    }

    String text() {
        if (random.nextInt(8) > 0) {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        }
        StringBuilder text = new StringBuilder("r");
        for (int left = random.nextInt(40); left > 0; left--) {
            text.appendCodePoint(random.nextInt(random.nextBoolean() ? 0x250 : 0xd800));
        }
        return text.toString();
    }

    /** Sometimes right. */
    JsonNode like(JsonNode schema) {
        return like(schema, 0);
    }

    private JsonNode like(JsonNode schema, int depth) {
        JsonNodeFactory make = JsonNodeFactory.instance;
        if (random.nextInt(12) == 0 || depth > DEEPEST) {
            return anything();
        }
        String reference = schema.path("$ref").asText();
        if (!reference.isEmpty()) {
            return like(schemas.path(reference.substring(reference.lastIndexOf('/') + 1)), depth + 1);
        }
        if (schema.path("enum").size() > 0 && random.nextInt(4) > 0) {
            return schema.path("enum").get(random.nextInt(schema.path("enum").size()));
        }
        String type = schema.path("type").isArray()
                ? schema.path("type").path(0).asText()
                : schema.path("type").asText();
        return switch (type) {
            case "integer", "number" -> number();
            case "boolean" -> make.booleanNode(random.nextBoolean());
            case "array" -> {
                ArrayNode all = make.arrayNode();
                for (int left = random.nextInt(4); left > 0; left--) {
                    all.add(like(schema.path("items"), depth + 1));
                }
                yield all;
            }
            case "object" -> object(schema, depth);
            default -> schema.has("properties") ? object(schema, depth) : make.textNode(text());
        };
    }

    private ObjectNode object(JsonNode schema, int depth) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            if (random.nextInt(3) > 0) {
                all.set(property.getKey(), like(property.getValue(), depth + 1));
            }
        }
        if (random.nextInt(10) == 0) {
            all.set(text(), anything());
        }
        return all;
    }

    private JsonNode number() {
        if (random.nextBoolean()) {
            return JsonNodeFactory.instance.numberNode(random.nextInt(200));
        }
        return JsonNodeFactory.instance.numberNode(new BigDecimal(NUMBERS.get(random.nextInt(NUMBERS.size()))));
    }

    private JsonNode anything() {
        JsonNodeFactory make = JsonNodeFactory.instance;
        return switch (random.nextInt(6)) {
            case 0 -> make.nullNode();
            case 1 -> number();
            case 2 -> make.booleanNode(true);
            case 3 -> make.arrayNode().add(text()).addNull().add(make.arrayNode().add(1));
            case 4 -> make.objectNode().put(text(), text());
            default -> make.textNode(text());
        };
    }
}
