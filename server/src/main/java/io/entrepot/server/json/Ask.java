package io.entrepot.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.config.Nearest;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a request may have in its JSON object. A field that is not known is refused: it is one that somebody believes in. */
public record Ask(String name, List<Input<?>> inputs) implements Form {

    public Ask {
        inputs = List.copyOf(inputs);
    }

    public static Ask of(String name, Input<?>... inputs) {
        return new Ask(name, List.of(inputs));
    }

    @Override
    public List<Field> fields() {
        return inputs.stream().map(Input::field).toList();
    }

    public Given read(JsonNode node) {
        if (!node.isObject()) {
            throw new ProblemException(Code.MALFORMED_JSON, "a JSON object is wanted, as {\"name\": \"value\"}");
        }
        Map<String, Optional<Object>> values = new LinkedHashMap<>();
        node.properties().forEach(each -> values.put(each.getKey(), read(each.getKey(), each.getValue())));
        inputs.stream().filter(input -> input.field().required() && !values.containsKey(input.name())).findFirst()
                .ifPresent(input -> {
                    throw new ProblemException(Code.MISSING_VALUE, "\"" + input.name() + "\" is missing: "
                            + input.field().meaning());
                });
        return new Given(values);
    }

    private Optional<Object> read(String field, JsonNode value) {
        Input<?> input = inputs.stream().filter(it -> it.name().equals(field)).findFirst()
                .orElseThrow(() -> unknown(Code.UNKNOWN_FIELD, field, inputs));
        if (value.isNull()) {
            if (!input.field().nullable()) {
                throw new ProblemException(Code.INVALID_VALUE, "\"" + field + "\" is null; leave it out instead");
            }
            return Optional.empty();
        }
        return Optional.of(input.read(value));
    }

    /** @param known what there is */
    public static ProblemException unknown(Code code, String name, List<Input<?>> known) {
        List<String> names = known.stream().map(Input::name).toList();
        String hint = Nearest.to(name, names).map(near -> "did you mean \"" + near + "\"?")
                .orElse(names.isEmpty() ? "there are none here" : "there are " + String.join(", ", names));
        return new ProblemException(code, "\"" + name + "\" is not known; " + hint);
    }
}
