package io.entrepot.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request to be made, and made again if that is safe.
 *
 * @param path       with its query
 * @param repeatable doing it twice is doing it once
 * @param changes    something is different afterwards: if it is not known whether it was done, that is to be told
 * @param streamed   the answer's body is wanted as it comes
 * @param patience   how long the answer may take beyond the idle timeout
 */
record Ask(String method, String path, Map<String, String> headers, Optional<Body> body, boolean repeatable,
        boolean changes, boolean streamed, Duration patience) {

    static Ask get(String path) {
        return of("GET", path);
    }

    static Ask post(String path) {
        return of("POST", path);
    }

    /** Repeatable by its method: what GET, HEAD, PUT, PATCH and DELETE do here is the same if it is done again. */
    static Ask of(String method, String path) {
        return new Ask(method, path, Map.of(), Optional.empty(), !method.equals("POST"),
                !method.equals("GET") && !method.equals("HEAD"), false, Duration.ZERO);
    }

    Ask with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Ask(method, path, more, body, repeatable, changes, streamed, patience);
    }

    Ask with(Json json) {
        return with(Body.json(json)).with("Content-Type", "application/json");
    }

    Ask with(Body value) {
        return new Ask(method, path, headers, Optional.of(value), repeatable, changes, streamed, patience);
    }

    Ask repeatedly() {
        return new Ask(method, path, headers, body, true, changes, streamed, patience);
    }

    /** It changes nothing, although it is a POST. */
    Ask harmless() {
        return new Ask(method, path, headers, body, true, false, streamed, patience);
    }

    Ask asItComes() {
        return new Ask(method, path, headers, body, repeatable, changes, true, patience);
    }

    Ask patient(Duration value) {
        return new Ask(method, path, headers, body, repeatable, changes, streamed, value);
    }

    /** A path from its parts, each encoded. */
    static String path(String... parts) {
        StringBuilder path = new StringBuilder("/v1");
        for (String part : parts) {
            path.append('/').append(encoded(part));
        }
        return path.toString();
    }

    /** A query; names may come more than once. */
    static String query(List<Map.Entry<String, String>> parameters) {
        StringBuilder query = new StringBuilder();
        for (Map.Entry<String, String> parameter : parameters) {
            query.append(query.isEmpty() ? '?' : '&').append(encoded(parameter.getKey())).append('=')
                    .append(encoded(parameter.getValue()));
        }
        return query.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
