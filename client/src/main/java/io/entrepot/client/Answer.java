package io.entrepot.client;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * What a server has answered.
 *
 * @param bytes  the whole body, unless it is streamed
 * @param stream the body as it comes, if that was asked for; to be closed
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares answers
record Answer(int status, HttpHeaders headers, byte[] bytes, PulledBody stream) {

    /** It is done, and there is nothing to say. */
    static Answer nothing() {
        return new Answer(204, HttpHeaders.of(Map.of(), (name, value) -> true), new byte[0],
                new PulledBody(Duration.ZERO));
    }

    Json json() {
        return bytes.length == 0 ? Json.object() : Json.parse(new String(bytes, StandardCharsets.UTF_8));
    }
}
