package io.entrepot.server.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Something that was done, from when to when.
 *
 * @param parent     the span below which it was; empty if it was the first
 * @param server     it answered a request of another program
 * @param begun      nanoseconds since 1970
 * @param attributes texts and whole numbers
 */
record FinishedSpan(TraceContext context, Optional<String> parent, String name, boolean server, long begun, long ended,
        Map<String, Object> attributes, boolean failed) {
    private static final int INTERNAL = 1;
    private static final int SERVER = 2;
    private static final int ERROR = 2;
    private static final int SAMPLED = 1;

    /** As OTLP has it in JSON: ids in hexadecimal, numbers of 64 bits as texts. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("traceId", context.trace());
        json.put("spanId", context.span());
        parent.ifPresent(id -> json.put("parentSpanId", id));
        if (!context.state().isEmpty()) {
            json.put("traceState", context.state());
        }
        json.put("flags", SAMPLED);
        json.put("name", name);
        json.put("kind", server ? SERVER : INTERNAL);
        json.put("startTimeUnixNano", Long.toString(begun));
        json.put("endTimeUnixNano", Long.toString(ended));
        json.put("attributes", attributes(attributes));
        json.put("status", failed ? Map.of("code", ERROR) : Map.of());
        return json;
    }

    static List<Map<String, Object>> attributes(Map<String, ?> named) {
        List<Map<String, Object>> all = new ArrayList<>();
        named.forEach((key, value) -> all.add(Map.of("key", key, "value", value instanceof Long number
                ? Map.of("intValue", number.toString())
                : Map.of("stringValue", value.toString()))));
        return all;
    }
}
