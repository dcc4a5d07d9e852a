package io.entrepot.pool.internal;

import io.entrepot.pool.Labels;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Labels as one text: a line each, as neither names nor values have line ends. */
public final class LabelText {

    private LabelText() {}

    public static String of(Labels labels) {
        return labels.all().entrySet().stream().map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining("\n"));
    }

    public static Labels parse(String text) {
        Map<String, String> labels = new TreeMap<>();
        text.lines().filter(line -> line.contains("=")).forEach(line -> {
            int equals = line.indexOf('=');
            labels.put(line.substring(0, equals), line.substring(equals + 1));
        });
        return Labels.of(labels);
    }
}
