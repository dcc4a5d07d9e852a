package io.entrepot.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads Server-Sent Events. For one thread. */
final class EventReader {
    private final BufferedReader in;

    /**
     * What was sent together.
     *
     * @param id   the cursor after it, if one was sent
     * @param data an event, if it is one
     */
    record Message(Optional<String> id, Optional<String> data) {}

    EventReader(InputStream in) {
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    /** @return empty at the end; what was cut off by it is not a message */
    Optional<Message> next() throws IOException {
        Optional<String> id = Optional.empty();
        StringBuilder data = new StringBuilder();
        boolean any = false;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isEmpty()) {
                return Optional.of(new Message(id, any ? Optional.of(data.toString()) : Optional.empty()));
            }
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
            if (field.equals("id")) {
                id = Optional.of(value);
            } else if (field.equals("data")) {
                data.append(any ? "\n" : "").append(value);
                any = true;
            }
        }
        return Optional.empty();
    }
}
