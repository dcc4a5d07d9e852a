package io.entrepot.server.trace;

import io.entrepot.config.Secret;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How requests are traced. What each of these is for is told in {@link TracingSettings}.
 *
 * @param headers    as {@code name=value}
 * @param attributes as {@code name=value}
 * @param sample     from 0 to 1
 */
public record TracingConfig(boolean enabled, Optional<URI> endpoint, List<Secret> headers, String serviceName,
        List<String> attributes, double sample, boolean followCaller, Duration sendEvery, Duration timeout) {

    public TracingConfig {
        headers = List.copyOf(headers);
        attributes = List.copyOf(attributes);
        headers.forEach(header -> requireHeader(header.text()));
        attributes.forEach(one -> requireNamed(one, "attributes are written as name=value"));
    }

    private static void requireNamed(String text, String otherwise) {
        if (text.indexOf('=') < 1) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Nothing of the value is told: it may be a key. */
    private static void requireHeader(String text) {
        requireNamed(text, "headers are written as name=value");
        try {
            HttpRequest.Builder _ = HttpRequest.newBuilder().header(name(text), value(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the header " + name(text) + " cannot be sent", e);
        }
    }

    static String name(String pair) {
        return pair.substring(0, pair.indexOf('=')).strip();
    }

    static String value(String pair) {
        return pair.substring(pair.indexOf('=') + 1).strip();
    }

    boolean isOn() {
        return enabled && endpoint.isPresent();
    }
}
