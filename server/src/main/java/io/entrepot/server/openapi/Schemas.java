package io.entrepot.server.openapi;

import io.entrepot.server.json.Form;
import io.entrepot.server.json.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** JSON Schemas of what is asked and answered; each form is written once and named from then on. For one thread. */
final class Schemas {
    private final Map<String, Form> forms = new TreeMap<>();
    private final Map<String, Object> written = new TreeMap<>();

    Map<String, Object> all() {
        return written;
    }

    Map<String, Object> of(Form form) {
        Form known = forms.putIfAbsent(form.name(), form);
        if (known == null) {
            written.put(form.name(), object(form));
        } else if (!known.fields().equals(form.fields())) {
            throw new IllegalStateException("two forms are called " + form.name());
        }
        return Map.of("$ref", "#/components/schemas/" + form.name());
    }

    private Map<String, Object> object(Form form) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (Form.Field field : form.fields()) {
            Map<String, Object> schema = new LinkedHashMap<>(of(field.type()));
            if (field.nullable()) {
                schema = new LinkedHashMap<>(Map.of("anyOf", List.of(schema, Map.of("type", "null"))));
            }
            schema.put("description", field.meaning());
            properties.put(field.name(), schema);
            if (field.required()) {
                required.add(field.name());
            }
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("type", "object");
        object.put("properties", properties);
        if (!required.isEmpty()) {
            object.put("required", required);
        }
        if (!form.name().equals("Problem")) {
            object.put("additionalProperties", false);
        }
        return object;
    }

    Map<String, Object> of(Type type) {
        return switch (type) {
            case Type.Text(String format) -> format.isEmpty()
                    ? Map.of("type", "string")
                    : Map.of("type", "string", "format", format);
            case Type.Whole(long lowest, long highest) -> whole(lowest, highest);
            case Type.Decimal() -> Map.of("type", "number");
            case Type.Truth() -> Map.of("type", "boolean");
            case Type.Choice(List<String> words) -> Map.of("type", "string", "enum", words);
            case Type.ListOf(Type each) -> Map.of("type", "array", "items", of(each));
            case Type.MapOf(Type each) -> Map.of("type", "object", "additionalProperties", of(each));
            case Type.Of(Form form) -> of(form);
            case Type.Free() -> Map.of("type", "object");
        };
    }

    private static Map<String, Object> whole(long lowest, long highest) {
        Map<String, Object> schema = new LinkedHashMap<>(Map.of("type", "integer", "format", "int64"));
        if (lowest != Long.MIN_VALUE) {
            schema.put("minimum", lowest);
        }
        if (highest != Long.MAX_VALUE) {
            schema.put("maximum", highest);
        }
        return schema;
    }
}
