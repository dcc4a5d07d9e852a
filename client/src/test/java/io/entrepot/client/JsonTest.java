package io.entrepot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @Test
    void parse_ofWhatIsWritten_isTheSame() {
        Json json = Json.object().with("text", "a \"b\" \\ \n é 漢 \uD83D\uDE00").with("n", Long.MIN_VALUE)
                .with("list", List.of(1, "x", true, Map.of("k", 1.5))).with("none", List.of());
        assertThat(Json.parse(json.toString())).isEqualTo(json);
        assertThat(Json.parse(" {\"a\" : [ 1 , null , {} ] } ").get("a").list()).hasSize(3);
        assertThat(Json.parse("\"\\u00e9\\/\"").text()).isEqualTo("é/");
    }

    @Test
    void get_ofWhatIsNotThere_isMissing() {
        Json json = Json.parse("{\"a\":null}");
        assertThat(json.get("a").isMissing()).isTrue();
        assertThat(json.get("b").get("c").find()).isEmpty();
        assertThat(json.get("b").whole()).isZero();
        assertThatThrownBy(() -> json.get("b").text()).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "01", "tru", "\"", "\"\\x\"", "1 2", "\"\\u12\"",
            "{a:1}", "-", "\"\n\"", "nul"})
    void parse_ofWhatIsNotJson_isRefused(String text) {
        assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void parse_ofWhatIsTooDeep_isRefused() {
        assertThatThrownBy(() -> Json.parse("[".repeat(100_000))).isInstanceOf(IllegalArgumentException.class);
    }
}
