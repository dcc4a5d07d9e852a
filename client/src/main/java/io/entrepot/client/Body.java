package io.entrepot.client;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;

/** What a request brings: bytes that are there, or a source that is read as they are sent. */
sealed interface Body {

    @SuppressWarnings("ArrayRecordComponent") // nobody compares bodies
    record Bytes(byte[] bytes) implements Body {
        BodyPublisher publisher() {
            return BodyPublishers.ofByteArray(bytes);
        }
    }

    record Streamed(Source source) implements Body {}

    static Body json(Json json) {
        return new Bytes(json.toString().getBytes(StandardCharsets.UTF_8));
    }
}
