package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.TenantId;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How files get in, are listed and are read. */
class FilesTest {
    private static final String FILES = "/v1/tenants/default/files";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;
    @SuppressWarnings("NullAway.Init")
    private TestServer server;

    @BeforeEach
    void start() {
        server = new TestServer(directory);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Answered store(String query, byte[] body, String... headers) {
        return server.checked("POST", FILES + query, server.admin(), BodyPublishers.ofByteArray(body), headers);
    }

    private static byte[] some(int size) {
        byte[] bytes = new byte[size];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    @Test
    void store_withAllThatCanBeSaid_isKnownAfter() {
        Answered stored = store("?name=a%20b.txt&dir=in/2030&priority=5&label=a=b&label=c=d"
                + "&availableAt=2999-01-01T00:00:00Z&modified=2001-02-03T04:05:06.789Z", some(10));
        assertThat(stored.status()).isEqualTo(201);
        JsonNode file = server.get(stored.header("Location")).json();
        assertThat(file.path("name").asText()).isEqualTo("a b.txt");
        assertThat(file.path("directory").asText()).isEqualTo("in/2030");
        assertThat(file.path("priority").asInt()).isEqualTo(5);
        assertThat(file.path("labels").path("c").asText()).isEqualTo("d");
        assertThat(file.path("availableAt").asText()).isEqualTo("2999-01-01T00:00:00Z");
        assertThat(file.path("modified").asText()).isEqualTo("2001-02-03T04:05:06.789Z");
        assertThat(file.path("size").asInt()).isEqualTo(10);
    }

    @Test
    void store_whenTheTimeOfChangeIsOdd_isStoredAllTheSame() {
        Answered first = store("?modified=0001-01-01T00:00:00Z", some(1));
        assertThat(server.get(first.header("Location")).json().path("modified").asText())
                .isEqualTo("0001-01-01T00:00:00Z");
        for (String query : List.of("", "?modified=%2B30000-01-01T00:00:00Z")) {
            Answered without = store(query, some(1));
            assertThat(without.status()).isEqualTo(201);
            assertThat(server.get(without.header("Location")).json().has("modified")).isFalse();
        }
        assertThat(store("?modified=yesterday", some(1)).status()).isEqualTo(400);
    }

    @Test
    void store_withTheSameIdempotencyKey_isTheSameFile() {
        Answered first = store("?name=x", some(9), "Idempotency-Key", "k1");
        Answered again = store("?name=x", some(9), "Idempotency-Key", "k1");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().path("files").path(0).path("key")).isEqualTo(first.json().path("files").path(0)
                .path("key"));
        assertThat(store("?name=x", some(8), "Idempotency-Key", "k1").code()).isEqualTo("pool.idempotency-conflict");
        assertThat(server.get(FILES).json().path("files")).hasSize(1);
    }

    @Test
    void store_whenItIsTooLarge_isRefusedAndLeavesNothing() {
        server.close();
        ServerConfig small = ServerSettings.read(Optional.empty(), Map.of(
                "ENTREPOT_SERVER_MAX_UPLOAD", "100KB", "ENTREPOT_DIRECTORY", directory.toString()), List.of())
                .value();
        server = new TestServer(small);
        assertThat(store("", some(100_001)).code()).isEqualTo("http.too-large");
        Answered chunked = server.checked("POST", FILES, server.admin(),
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(some(150_000))));
        assertThat(chunked.code()).isEqualTo("http.too-large");
        assertThat(server.get(FILES).json().path("files")).isEmpty();
        assertThat(store("", some(100_000)).status()).isEqualTo(201);
    }

    @Test
    @SuppressWarnings("StringConcatToTextBlock") // line ends are a part of it
    void form_withSeveralFiles_storesEach() {
        String form = "--XX\r\nContent-Disposition: form-data; name=\"dir\"\r\n\r\ninbox\r\n"
                + "--XX\r\nContent-Disposition: form-data; name=\"modified\"\r\n\r\n2001-02-03T04:05:06Z\r\n"
                + "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"one.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\none\r\n--X almost\r\n"
                + "--XX\r\nContent-Disposition: form-data; name=\"g\"; filename=\"tw\u00f6.txt\"\r\n\r\n\r\n--XX--\r\n";
        Answered stored = server.as(server.admin(), "POST", FILES, form, "Content-Type",
                "multipart/form-data; boundary=XX");
        assertThat(stored.status()).isEqualTo(201);
        assertThat(stored.json().path("files")).hasSize(2);
        JsonNode listed = server.get(FILES + "?dir=inbox").json().path("files");
        assertThat(listed.path(0).path("name").asText()).isEqualTo("one.txt");
        assertThat(listed.path(1).path("name").asText()).isEqualTo("tw\u00f6.txt");
        assertThat(listed.path(1).path("size").asInt()).isZero();
        assertThat(listed.path(1).path("modified").asText()).isEqualTo("2001-02-03T04:05:06Z");
        String key = listed.path(0).path("key").asText();
        assertThat(server.get(FILES + "/" + key + "/content").text()).isEqualTo("one\r\n--X almost");
    }

    @Test
    @SuppressWarnings("StringConcatToTextBlock") // line ends are a part of it
    void form_whenAFileIsRefused_saysWhichAreStored() {
        String form = "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"one\"\r\n\r\none\r\n"
                + "--XX\r\nContent-Disposition: form-data; name=\"nosuch\"\r\n\r\nx\r\n--XX--\r\n";
        Answered answer = server.as(server.admin(), "POST", FILES, form, "Content-Type",
                "multipart/form-data; boundary=XX");
        assertThat(answer.code()).isEqualTo("http.unknown-field");
        assertThat(answer.json().path("files")).hasSize(1);
        assertThat(server.as(server.admin(), "POST", FILES, "--XX\r\nCont", "Content-Type",
                "multipart/form-data; boundary=XX").code()).isEqualTo("http.broken-body");
        assertThat(server.as(server.admin(), "POST", FILES, "x", "Content-Type", "multipart/form-data").code())
                .isEqualTo("http.broken-form");
    }

    @Test
    @SuppressWarnings("StringConcatToTextBlock") // line ends are a part of it
    void form_withANameThatIsMuchTooLong_isRefusedClearly() {
        for (int length : new int[]{8_000, 9_000}) {
            String form = "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"" + "n".repeat(length)
                    + "\"\r\n\r\none\r\n--XX--\r\n";
            Answered answer = server.as(server.admin(), "POST", FILES, form, "Content-Type",
                    "multipart/form-data; boundary=XX");
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.code()).isEqualTo(length == 8_000 ? "pool.invalid-name" : "http.broken-form");
        }
    }

    @Test
    void list_isPaged() {
        for (int i = 0; i < 5; i++) {
            server.put("default", "f" + i, new byte[1]);
        }
        JsonNode first = server.get(FILES + "?limit=3").json();
        assertThat(first.path("files")).hasSize(3);
        JsonNode second = server.get(FILES + "?limit=3&cursor=" + first.path("next").asText()).json();
        assertThat(second.path("files")).hasSize(2);
        assertThat(server.get(FILES + "?name=f4").json().path("files")).hasSize(1);
        assertThat(server.get(FILES + "?status=completed").json().path("files")).isEmpty();
        assertThat(server.get(FILES + "?status=nonsense").code()).isEqualTo("http.invalid-value");
        assertThat(server.get(FILES + "?limit=0").code()).isEqualTo("http.invalid-value");
    }

    @Test
    void content_isGivenWholeInPartsAndUnderConditions() {
        byte[] bytes = some(300_000);
        String key = server.put("default", "a%22b%C3%A4.bin", bytes);
        String path = FILES + "/" + key + "/content";
        Answered whole = server.get(path);
        assertThat(whole.bytes()).isEqualTo(bytes);
        assertThat(whole.header("Content-Length")).isEqualTo("300000");
        String tag = whole.header("ETag");
        assertThat(tag).isEqualTo("\"" + server.get(FILES + "/" + key).json().path("sha256").asText() + "\"");
        assertThat(whole.header("Content-Type")).isEqualTo("application/octet-stream");

        Answered part = server.get(path, "Range", "bytes=10-19");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.header("Content-Range")).isEqualTo("bytes 10-19/300000");
        assertThat(part.bytes()).isEqualTo(Arrays.copyOfRange(bytes, 10, 20));
        assertThat(server.get(path, "Range", "bytes=-5").bytes()).isEqualTo(
                Arrays.copyOfRange(bytes, 299_995, 300_000));
        assertThat(server.get(path, "Range", "bytes=299999-").bytes()).hasSize(1);
        Answered beyond = server.get(path, "Range", "bytes=300000-");
        assertThat(beyond.code()).isEqualTo("http.range-not-satisfiable");
        assertThat(beyond.header("Content-Range")).isEqualTo("bytes */300000");
        Answered more = server.get(path, "Range", "bytes=299990-99999999999999999999999");
        assertThat(more.header("Content-Range")).isEqualTo("bytes 299990-299999/300000");
        assertThat(server.get(path, "Range", "bytes=99999999999999999999999-").status()).isEqualTo(416);
        assertThat(server.get(path, "Range", "bytes=0-1,5-6").status()).isEqualTo(200);
        assertThat(server.get(path, "Range", "lines=0-1").status()).isEqualTo(200);

        assertThat(server.get(path, "If-None-Match", "\"x\", " + tag).status()).isEqualTo(304);
        assertThat(server.get(path, "If-None-Match", "W/" + tag).status()).isEqualTo(304);
        assertThat(server.get(path, "If-Match", tag).status()).isEqualTo(200);
        assertThat(server.get(path, "If-Match", "\"x\"").code()).isEqualTo("http.precondition-failed");
        assertThat(server.get(path, "Range", "bytes=0-0", "If-Range", tag).status()).isEqualTo(206);
        assertThat(server.get(path, "Range", "bytes=0-0", "If-Range", "\"x\"").status()).isEqualTo(200);

        Answered head = server.as(server.admin(), "HEAD", path, "");
        assertThat(head.header("Content-Length")).isEqualTo("300000");
        assertThat(head.bytes()).isEmpty();
        assertThat(server.get(path + "?verify=true").bytes()).isEqualTo(bytes);
    }

    @Test
    void disposition_cannotBeBrokenByAName() {
        String key = server.put("default", "a%22%3B%20filename=evil%C3%A4.html", new byte[1]);
        String disposition = server.get(FILES + "/" + key + "/content").header("Content-Disposition");
        assertThat(disposition).isEqualTo("attachment; filename=\"a__ filename_evil_.html\";"
                + " filename*=UTF-8''a%22%3B%20filename%3Devil%C3%A4.html");
    }

    @Test
    void content_whenItIsNotWhatWasWritten_isCutOffBeforeItsEnd() throws Exception {
        byte[] bytes = some(1_000_000);
        String key = server.put("default", "x", bytes);
        server.pool().volumes().sync();
        Path file = server.pool().files().get(TenantId.DEFAULT, FileKey.parse(key)).path().orElseThrow();
        bytes[999_999] ^= 1;
        Files.write(file, bytes);
        String path = FILES + "/" + key + "/content?verify=true";
        assertThatThrownBy(() -> server.get(path)).hasMessageContaining("bytes received");
        assertThat(server.post(FILES + "/" + key + "/verify", "").code()).isEqualTo("pool.damaged-file");

        String small = server.put("default", "y", "text".getBytes(StandardCharsets.UTF_8));
        server.pool().volumes().sync();
        Files.writeString(server.pool().files().get(TenantId.DEFAULT, FileKey.parse(small)).path().orElseThrow(),
                "texd");
        assertThat(server.get(FILES + "/" + small + "/content?verify=true").code()).isEqualTo("pool.damaged-file");
    }

    @Test
    void file_isToldOfAndDeleted() {
        String key = server.put("default", "a", new byte[1]);
        assertThat(server.get(FILES + "/" + key + "/history").json().path("entries").path(0).path("what").asText())
                .isEqualTo("written");
        assertThat(server.get(FILES + "/" + key + "/explain").json().path("sentences")).isNotEmpty();
        assertThat(server.call("DELETE", FILES + "/" + key + "?why=wrong", "").status()).isEqualTo(204);
        assertThat(server.get(FILES + "/" + key).code()).isEqualTo("pool.file-not-found");
        assertThat(server.get(FILES + "/" + key + "/history").json().path("goneWhy").asText()).contains("wrong");
        assertThat(server.get(FILES + "/nonsense").code()).isEqualTo("pool.file-not-found");
    }

    @Test
    void explain_ofAFileThatWaits_saysWhatFor() {
        String key = server.put("default", "a", new byte[1]);
        server.pool().tenants().setPaused(TenantId.DEFAULT, true);
        assertThat(server.get(FILES + "/" + key + "/explain").text()).contains("Its tenant is paused")
                .doesNotContain("for a worker");
        server.pool().tenants().setPaused(TenantId.DEFAULT, false);
        server.pool().tenants().suspend(TenantId.DEFAULT);
        assertThat(server.get(FILES + "/" + key + "/explain").text()).contains("Its tenant is suspended");
    }

    @Test
    void upload_inPieces_isListedAndCancelled() throws Exception {
        var id = server.pool().uploads().begin(TenantId.DEFAULT, NewFile.named("big"), 10);
        String path = "/v1/tenants/default/uploads";
        assertThat(server.get(path).json().path("uploads").path(0).path("id").asText()).isEqualTo(id.toString());
        assertThat(server.get(path + "/" + id).json().path("size").asInt()).isEqualTo(10);
        assertThat(server.call("DELETE", path + "/" + id, "").status()).isEqualTo(204);
        assertThat(server.call("DELETE", path + "/" + id, "").code()).isEqualTo("pool.upload-not-found");
    }
}
