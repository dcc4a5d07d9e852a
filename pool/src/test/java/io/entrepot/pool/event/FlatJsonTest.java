package io.entrepot.pool.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlatJsonTest {

    @Test
    void parse_ofAnObject_readsTextsNumbersAndBooleans() {
        assertThat(FlatJson.parse("{\"a\":\"x\",\"b\":-17,\"c\":true, \"d\" : false}"))
                .isEqualTo(Map.of("a", "x", "b", -17L, "c", true, "d", false));
        assertThat(FlatJson.parse("{}")).isEmpty();
        assertThat(FlatJson.parse("{\"a\":\"\\\"\\\\\\u0007\\n,}\"}")).isEqualTo(Map.of("a", "\"\\\u0007\n,}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "nothing", "{\"a\":", "{\"a\":[1]}", "{\"a\":\"\\x\"}", "{\"a\" 1}", "[]",
            "{\"a\":\"\\u00\"}"})
    void parse_ofWhatIsNone_hasNothing(String text) {
        assertThat(FlatJson.parse(text)).isEmpty();
    }
}
