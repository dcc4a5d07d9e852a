package io.entrepot.server.tus;

import io.entrepot.pool.NewFile;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a client says of a file: names, each with a value in base64, separated by commas. Names that mean nothing here are kept and
 * given back, as clients send what they like. Immutable.
 *
 * @param raw as it came
 */
record Metadata(String raw, Map<String, String> values) {
    private static final String LABEL = "label.";

    Metadata {
        values = Map.copyOf(values);
    }

    /** @throws ProblemException if it is not written as it should be */
    static Metadata parse(String header) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : header.isBlank() ? new String[0] : header.split(",", -1)) {
            String[] parts = pair.strip().split(" +", 2);
            if (parts[0].isEmpty()) {
                throw wrong("has an empty name: it is written as \"name base64,name base64\"");
            }
            if (values.put(parts[0], parts.length == 1 ? "" : decoded(parts[0], parts[1])) != null) {
                throw wrong("has " + parts[0] + " twice");
            }
        }
        return new Metadata(header.strip(), values);
    }

    private static String decoded(String name, String text) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(Base64.getDecoder().decode(text)))
                    .toString();
        } catch (IllegalArgumentException e) {
            throw wrong("has a value for " + name + " that is not base64: " + e.getMessage());
        } catch (CharacterCodingException e) {
            throw wrong("has a value for " + name + " that is not UTF-8 in base64");
        }
    }

    private static ProblemException wrong(String what) {
        return new ProblemException(Code.INVALID_VALUE, "\"" + Tus.METADATA + "\": " + what);
    }

    /** What it says, put on the file. */
    NewFile describe(NewFile plain) {
        NewFile file = plain;
        Map<String, String> labels = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : values.entrySet()) {
            String value = each.getValue();
            switch (each.getKey()) {
                case "filename" -> file = file.withName(value);
                case "name" -> file = values.containsKey("filename") ? file : file.withName(value);
                case "filetype" -> labels.put("filetype", value);
                case "type" -> labels.putIfAbsent("filetype", value);
                case "directory" -> file = file.in(value);
                case "priority" -> file = file.withPriority(priority(value));
                case "availableAt" -> file = file.availableAt(time("availableAt", value));
                case "modified" -> file = file.withModified(time("modified", value));
                case "idempotencyKey" -> file = file.withIdempotencyKey(value);
                default -> {
                    if (each.getKey().startsWith(LABEL)) {
                        labels.put(each.getKey().substring(LABEL.length()), value);
                    }
                }
            }
        }
        return file.withLabels(labels);
    }

    private static int priority(String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw wrong("has a priority that is not a whole number: " + value);
        }
    }

    private static Instant time(String name, String value) {
        try {
            return Instant.parse(value);
        } catch (DateTimeException e) {
            throw wrong("has a value for " + name + " that is not a time, as 2030-01-31T12:00:00Z: " + value);
        }
    }
}
