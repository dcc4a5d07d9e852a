package io.entrepot.server.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;

/** JSON texts, read strictly. Nothing else here knows how. */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private Json() {}

    /** @throws IOException if the stream fails */
    public static JsonNode read(InputStream in) throws IOException {
        try {
            JsonNode node = MAPPER.readTree(in);
            if (node == null || node.isMissingNode()) {
                throw new ProblemException(Code.MALFORMED_JSON, "the body is empty; a JSON object is wanted");
            }
            return node;
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " at line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
            throw new ProblemException(Code.MALFORMED_JSON, "the body is not JSON" + where + ": "
                    + e.getOriginalMessage());
        }
    }

    /** @param value maps, lists, texts, numbers and booleans */
    public static byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("plain values can be written", e);
        }
    }

    public static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("plain values can be written", e);
        }
    }
}
