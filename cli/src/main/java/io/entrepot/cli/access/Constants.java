package io.entrepot.cli.access;

import io.entrepot.client.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Values as a server writes them: {@code PERMANENTLY_FAILED} is {@code permanently-failed}. */
final class Constants {

    private Constants() {}

    static <E extends Enum<E>> E parse(Class<E> type, Json json) {
        return parse(type, json.text());
    }

    /** @throws IllegalArgumentException if there is none: the server is newer than this */
    static <E extends Enum<E>> E parse(Class<E> type, String text) {
        return Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> texts(List<Json> list) {
        return list.stream().map(Json::text).toList();
    }

    static Map<String, String> texts(Json object) {
        Map<String, String> texts = new TreeMap<>();
        object.fields().keySet().forEach(name -> texts.put(name, object.get(name).text()));
        return texts;
    }
}
