package io.entrepot.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** An answer of the server, as a test looks at it. */
record Answered(HttpResponse<byte[]> response) {
    static final ObjectMapper MAPPER = new ObjectMapper();

    int status() {
        return response.statusCode();
    }

    String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    byte[] bytes() {
        return response.body();
    }

    String text() {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    JsonNode json() {
        try {
            return MAPPER.readTree(text());
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + text(), e);
        }
    }

    /** The code of a problem. */
    String code() {
        return json().path("code").asText();
    }
}
