package io.entrepot.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A value that somebody gives: as a field of a JSON object, in the query or as a header. Immutable.
 *
 * @param json what it is read into; refuses by an {@link IllegalArgumentException}
 * @param text the same from a query or header
 */
public record Input<T>(Form.Field field, Function<JsonNode, T> json, Function<String, T> text) {

    public static Input<String> text(String name, String meaning) {
        return of(name, Type.TEXT, meaning, text -> text);
    }

    /** Written as a text, and read by that. */
    public static <T> Input<T> of(String name, Type type, String meaning, Function<String, T> reader) {
        return new Input<>(new Form.Field(name, type, false, false, meaning), node -> {
            if (!node.isTextual()) {
                throw new IllegalArgumentException("is a text");
            }
            return reader.apply(node.textValue());
        }, reader);
    }

    public static Input<Long> whole(String name, long lowest, long highest, String meaning) {
        Function<Long, Long> checked = value -> {
            if (value < lowest || value > highest) {
                throw new IllegalArgumentException("is from " + lowest + " to " + highest);
            }
            return value;
        };
        return new Input<>(new Form.Field(name, new Type.Whole(lowest, highest), false, false, meaning), node -> {
            if (!node.isIntegralNumber() || !node.canConvertToLong()) {
                throw new IllegalArgumentException("is a whole number from " + lowest + " to " + highest);
            }
            return checked.apply(node.longValue());
        }, text -> checked.apply(parseWhole(text)));
    }

    private static long parseWhole(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is a whole number", e);
        }
    }

    public static Input<Boolean> truth(String name, String meaning) {
        return new Input<>(new Form.Field(name, Type.TRUTH, false, false, meaning), node -> {
            if (!node.isBoolean()) {
                throw new IllegalArgumentException("is true or false");
            }
            return node.booleanValue();
        }, text -> switch (text) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("is true or false");
        });
    }

    public static <E extends Enum<E>> Input<E> choice(String name, Class<E> type, String meaning) {
        Type.Choice choice = (Type.Choice) Type.choice(type);
        return of(name, choice, meaning, word -> Words.parse(type, word).orElseThrow(
                () -> new IllegalArgumentException("is one of " + String.join(", ", choice.words()))));
    }

    /** A list of such; in a query the same name several times. */
    public Input<List<T>> listed() {
        return new Input<>(new Form.Field(field.name(), new Type.ListOf(field.type()), field.required(), false,
                field.meaning()), node -> {
                    if (!node.isArray()) {
                        throw new IllegalArgumentException("is a list");
                    }
                    List<T> all = new ArrayList<>();
                    node.forEach(one -> all.add(json.apply(one)));
                    return List.copyOf(all);
                }, one -> List.of(text.apply(one)));
    }

    /** Texts by name. */
    public static Input<Map<String, String>> texts(String name, String meaning) {
        return new Input<>(new Form.Field(name, new Type.MapOf(Type.TEXT), false, false, meaning), node -> {
            if (!node.isObject()) {
                throw new IllegalArgumentException("is an object of texts");
            }
            Map<String, String> all = new LinkedHashMap<>();
            node.properties().forEach(each -> {
                if (!each.getValue().isTextual()) {
                    throw new IllegalArgumentException("is an object of texts");
                }
                all.put(each.getKey(), each.getValue().textValue());
            });
            return Map.copyOf(all);
        }, _ -> {
            throw new IllegalArgumentException("is an object");
        });
    }

    /** An object with fields of its own. */
    public static Input<Given> object(String name, Ask ask, String meaning) {
        return new Input<>(new Form.Field(name, new Type.Of(ask), false, false, meaning), ask::read, _ -> {
            throw new IllegalArgumentException("is an object");
        });
    }

    public Input<T> required() {
        return new Input<>(new Form.Field(field.name(), field.type(), true, false, field.meaning()), json, text);
    }

    /** Null says that there is to be none. */
    public Input<T> nullable() {
        return new Input<>(new Form.Field(field.name(), field.type(), field.required(), true, field.meaning()), json,
                text);
    }

    public String name() {
        return field.name();
    }

    T read(JsonNode node) {
        try {
            return json.apply(node);
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    /** From a query or header. */
    public T read(String value) {
        try {
            return text.apply(value);
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    private ProblemException wrong(IllegalArgumentException e) {
        return new ProblemException(Code.INVALID_VALUE, "\"" + name() + "\": " + e.getMessage());
    }
}
