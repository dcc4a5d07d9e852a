package io.entrepot.server.route;

import io.entrepot.server.json.Answer;
import java.util.Map;

/** What a handler answers. */
public sealed interface Reply {

    /** A JSON object. */
    record Body(int status, Map<String, Object> json, Map<String, String> headers) implements Reply {
        public Body {
            headers = Map.copyOf(headers);
        }

        public Body with(String header, String value) {
            return new Body(status, json, Map.of(header, value));
        }
    }

    /** Something else than JSON. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Page(String mediaType, byte[] bytes) implements Reply {}

    /** Nothing to say. */
    record Empty() implements Reply {}

    /** It was written already. */
    record Written() implements Reply {}

    static <T> Body ok(Answer<T> answer, T value) {
        return of(200, answer, value);
    }

    static <T> Body of(int status, Answer<T> answer, T value) {
        return new Body(status, answer.of(value), Map.of());
    }

    static Reply empty() {
        return new Empty();
    }

    static Reply written() {
        return new Written();
    }
}
