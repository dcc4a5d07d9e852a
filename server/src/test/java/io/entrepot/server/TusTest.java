package io.entrepot.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.config.Source;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.TenantId;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tus protocol, word for word. */
class TusTest {
    private static final String PATH = "/v1/tenants/default/uploads";
    private static final String PIECE = "application/offset+octet-stream";
    private static final TenantId TENANT = new TenantId("default");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;
    @SuppressWarnings("NullAway.Init")
    private TestServer server;

    @BeforeEach
    void start() {
        server = new TestServer(config(Map.of()));
    }

    private ServerConfig config(Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(Map.of("directory", directory.toString(), "server.cors-origins",
                List.of("https://page.example"), "server.max-upload", "1000000B"));
        all.putAll(more);
        return ServerSettings.read(Optional.empty(), Map.of(), List.of(new Source("test", all))).value();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Answered tus(String method, String path, byte[] body, String... headers) {
        List<String> all = new ArrayList<>(List.of("Tus-Resumable", "1.0.0"));
        all.addAll(List.of(headers));
        return server.checked(method, path, server.admin(), body.length == 0
                ? BodyPublishers.noBody()
                : BodyPublishers.ofByteArray(body), all.toArray(String[]::new));
    }

    private String begin(String... headers) {
        Answered made = tus("POST", PATH, new byte[0], headers);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.header("Tus-Resumable")).isEqualTo("1.0.0");
        return made.header("Location");
    }

    private Answered patch(String upload, long offset, String text, String... headers) {
        List<String> all = new ArrayList<>(List.of("Content-Type", PIECE, "Upload-Offset", Long.toString(offset)));
        all.addAll(List.of(headers));
        return tus("PATCH", upload, text.getBytes(UTF_8), all.toArray(String[]::new));
    }

    private Answered head(String upload) {
        return tus("HEAD", upload, new byte[0]);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private String content(String key) throws Exception {
        return Files.readString(server.pool().files().get(TENANT, FileKey.parse(key)).path().orElseThrow());
    }

    @Test
    void options_sayWhatIsSpoken_withoutAKey() {
        for (String path : List.of(PATH, PATH + "/0123456789abcdef0123456789abcdef")) {
            Answered answer = server.as("", "OPTIONS", path, "");
            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.header("Tus-Version")).isEqualTo("1.0.0");
            assertThat(answer.header("Tus-Resumable")).isEqualTo("1.0.0");
            assertThat(answer.header("Tus-Max-Size")).isEqualTo("1000000");
            assertThat(answer.header("Tus-Extension").split(",")).contains("creation", "creation-with-upload",
                    "creation-defer-length", "termination", "expiration", "checksum");
            assertThat(answer.header("Tus-Checksum-Algorithm")).isEqualTo("sha256,sha1,md5");
        }
    }

    @Test
    void upload_inPieces_isAFileWithTheLast() throws Exception {
        String metadata = "filename " + base64("Bericht März.pdf") + ",filetype " + base64("application/pdf")
                + ",directory " + base64("in/2026") + ",priority " + base64("7")
                + ",modified " + base64("2001-02-03T04:05:06.789Z") + ",label.a " + base64("b,c")
                + ",relativePath,mine " + base64("kept");
        String upload = begin("Upload-Length", "11", "Upload-Metadata", metadata);
        Answered first = patch(upload, 0, "hello ");
        assertThat(first.status()).isEqualTo(204);
        assertThat(first.header("Upload-Offset")).isEqualTo("6");
        assertThat(first.header("Entrepot-File-Key")).isEmpty();
        assertThat(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(first.header("Upload-Expires"))))
                .isAfter(Instant.now());

        Answered between = head(upload);
        assertThat(between.header("Upload-Offset")).isEqualTo("6");
        assertThat(between.header("Upload-Length")).isEqualTo("11");
        assertThat(between.header("Upload-Metadata")).isEqualTo(metadata);
        assertThat(between.header("Cache-Control")).isEqualTo("no-store");
        assertThat(between.header("Upload-Expires")).isNotEmpty();

        Answered last = patch(upload, 6, "world");
        String key = last.header("Entrepot-File-Key");
        assertThat(content(key)).isEqualTo("hello world");
        FileInfo file = server.pool().files().get(TENANT, FileKey.parse(key));
        assertThat(file.name()).contains("Bericht März.pdf");
        assertThat(file.directory().toString()).isEqualTo("in/2026");
        assertThat(file.priority()).isEqualTo(7);
        assertThat(file.modified()).contains(Instant.parse("2001-02-03T04:05:06.789Z"));
        assertThat(file.labels().all()).isEqualTo(Map.of("filetype", "application/pdf", "a", "b,c"));
        assertThat(head(upload).header("Entrepot-File-Key")).isEqualTo(key);
        assertThat(head(upload).header("Upload-Offset")).isEqualTo("11");
        assertThat(patch(upload, 11, "more").status()).isEqualTo(413);
        assertThat(patch(upload, 6, "world").status()).isEqualTo(409);
        assertThat(server.get("/v1/tenants/default/files").json().path("files")).hasSize(1);
    }

    @Test
    void version_whenItIsAnother_is412AndToldWhich() {
        for (String[] wrong : new String[][]{{}, {"Tus-Resumable", "0.2.2"}}) {
            Answered answer = server.as(server.admin(), "POST", PATH, "", wrong);
            assertThat(answer.status()).isEqualTo(412);
            assertThat(answer.code()).isEqualTo("tus.wrong-version");
            assertThat(answer.header("Tus-Version")).isEqualTo("1.0.0");
        }
        assertThat(server.as("", "POST", PATH, "", "Tus-Resumable", "1.0.0").header("Tus-Resumable"))
                .isEqualTo("1.0.0");
        String upload = begin("Upload-Length", "3");
        for (String method : List.of("HEAD", "DELETE", "PATCH")) {
            assertThat(server.as(server.admin(), method, upload, "", "Tus-Resumable", "2").status()).isEqualTo(412);
        }
    }

    @Test
    void piece_whenItIsNotWhereTheUploadEnds_is409AndChangesNothing() {
        String upload = begin("Upload-Length", "10");
        patch(upload, 0, "abc");
        Answered answer = patch(upload, 0, "abc");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("pool.upload-offset");
        assertThat(answer.json().path("offset").asLong()).isEqualTo(3);
        assertThat(patch(upload, 5, "x").status()).isEqualTo(409);
        assertThat(head(upload).header("Upload-Offset")).isEqualTo("3");
        assertThat(tus("PATCH", upload, new byte[1], "Upload-Offset", "3").status()).isEqualTo(415);
        assertThat(tus("PATCH", upload, new byte[1], "Content-Type", PIECE).code()).isEqualTo("http.missing-value");
        assertThat(patch(upload, 3, "12345678").status()).isEqualTo(413);
        assertThat(head(upload).header("Upload-Offset")).isEqualTo("3");
    }

    @Test
    void creation_whenItIsWrong_isRefusedClearly() {
        assertThat(tus("POST", PATH, new byte[0]).code()).isEqualTo("http.missing-value");
        assertThat(tus("POST", PATH, new byte[0], "Upload-Length", "1", "Upload-Defer-Length", "1").code())
                .isEqualTo("http.missing-value");
        assertThat(tus("POST", PATH, new byte[0], "Upload-Length", "-1").code()).isEqualTo("http.invalid-value");
        assertThat(tus("POST", PATH, new byte[0], "Upload-Defer-Length", "2").code()).isEqualTo("http.invalid-value");
        Answered large = tus("POST", PATH, new byte[0], "Upload-Length", "1000001");
        assertThat(large.status()).isEqualTo(413);
        assertThat(large.header("Tus-Max-Size")).isEqualTo("1000000");
        for (String metadata : List.of("filename !!!", "filename /w==", "a YQ==,a YQ==", ",", "priority " + base64("x"),
                "availableAt " + base64("soon"), "modified " + base64("lately"))) {
            Answered answer = tus("POST", PATH, new byte[0], "Upload-Length", "1", "Upload-Metadata", metadata);
            assertThat(answer.status()).as(metadata).isEqualTo(400);
            assertThat(answer.json().path("detail").asText()).contains("Upload-Metadata");
        }
        assertThat(tus("POST", PATH, new byte[0], "Upload-Length", "1", "Upload-Concat", "partial").status())
                .isEqualTo(400);
        assertThat(tus("POST", PATH, new byte[1], "Upload-Length", "1", "Content-Type", "text/plain").status())
                .isEqualTo(415);
        assertThat(server.get(PATH).json().path("uploads")).isEmpty();
    }

    @Test
    void creation_withAPieceOrNothingToCome_goesAsFarAsItCan() throws Exception {
        Answered whole = tus("POST", PATH, "abc".getBytes(UTF_8), "Upload-Length", "3", "Content-Type", PIECE);
        assertThat(whole.status()).isEqualTo(201);
        assertThat(whole.header("Upload-Offset")).isEqualTo("3");
        assertThat(content(whole.header("Entrepot-File-Key"))).isEqualTo("abc");

        Answered part = tus("POST", PATH, "ab".getBytes(UTF_8), "Upload-Length", "3", "Content-Type", PIECE);
        assertThat(part.header("Upload-Offset")).isEqualTo("2");
        assertThat(content(patch(part.header("Location"), 2, "c").header("Entrepot-File-Key"))).isEqualTo("abc");

        Answered empty = tus("POST", PATH, new byte[0], "Upload-Length", "0");
        assertThat(content(empty.header("Entrepot-File-Key"))).isEmpty();
    }

    @Test
    void length_whenToldLate_isKeptOnceItIsTold() throws Exception {
        String upload = begin("Upload-Defer-Length", "1");
        assertThat(head(upload).header("Upload-Defer-Length")).isEqualTo("1");
        patch(upload, 0, "abc");
        assertThat(patch(upload, 3, "", "Upload-Length", "2").code()).isEqualTo("http.invalid-value");
        assertThat(patch(upload, 3, "d", "Upload-Length", "6").status()).isEqualTo(204);
        assertThat(head(upload).header("Upload-Length")).isEqualTo("6");
        assertThat(head(upload).header("Upload-Defer-Length")).isEmpty();
        assertThat(patch(upload, 4, "e", "Upload-Length", "5").code()).isEqualTo("http.invalid-value");
        assertThat(patch(upload, 4, "efg").status()).isEqualTo(413);
        assertThat(content(patch(upload, 4, "ef").header("Entrepot-File-Key"))).isEqualTo("abcdef");
    }

    @Test
    void checksum_whenItIsAnother_is460AndNothingCounts() throws Exception {
        String upload = begin("Upload-Length", "6");
        for (String[] algorithm : new String[][]{{"sha256", "SHA-256"}, {"sha1", "SHA-1"}, {"md5", "MD5"}}) {
            String wrong = Base64.getEncoder().encodeToString(MessageDigest.getInstance(algorithm[1])
                    .digest("other".getBytes(UTF_8)));
            Answered answer = patch(upload, 0, "abc", "Upload-Checksum", algorithm[0] + " " + wrong);
            assertThat(answer.status()).isEqualTo(460);
            assertThat(answer.code()).isEqualTo("tus.checksum-mismatch");
            assertThat(head(upload).header("Upload-Offset")).isEqualTo("0");
        }
        assertThat(patch(upload, 0, "abc", "Upload-Checksum", "crc32 AAAA").status()).isEqualTo(400);
        assertThat(patch(upload, 0, "abc", "Upload-Checksum", "sha1 AAAA").status()).isEqualTo(400);
        assertThat(patch(upload, 0, "abc", "Upload-Checksum", "sha1 ???").status()).isEqualTo(400);
        String right = Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1")
                .digest("abc".getBytes(UTF_8)));
        assertThat(patch(upload, 0, "abc", "Upload-Checksum", "sha1 " + right).status()).isEqualTo(204);
        assertThat(content(patch(upload, 3, "def").header("Entrepot-File-Key"))).isEqualTo("abcdef");
    }

    @Test
    void termination_makesItGone_andWhatNeverWasIsNotFound() {
        String upload = begin("Upload-Length", "6");
        patch(upload, 0, "abc");
        assertThat(tus("DELETE", upload, new byte[0]).status()).isEqualTo(204);
        assertThat(head(upload).status()).isEqualTo(410);
        assertThat(patch(upload, 3, "def").code()).isEqualTo("tus.upload-gone");
        assertThat(tus("DELETE", upload, new byte[0]).status()).isEqualTo(410);
        String never = PATH + "/0123456789abcdef0123456789abcdef";
        assertThat(head(never).status()).isEqualTo(404);
        assertThat(patch(never, 0, "x").code()).isEqualTo("pool.upload-not-found");
        assertThat(head(PATH + "/what").status()).isEqualTo(404);
        server.post("/v1/tenants", "{\"id\":\"other\"}");
        assertThat(head(upload.replace("default", "other")).status()).isEqualTo(404);
    }

    @Test
    void upload_whenNothingComesForTooLong_isGone() {
        server.close();
        server = new TestServer(config(Map.of("write.upload-expiry", "1s")));
        String upload = begin("Upload-Length", "6");
        patch(upload, 0, "abc");
        await().until(() -> head(upload).status() == 410);
        assertThat(patch(upload, 3, "def").code()).isEqualTo("tus.upload-gone");
    }

    @Test
    void termination_ofAFinishedOne_leavesTheFileAndIsRefused() throws Exception {
        String upload = begin("Upload-Length", "3");
        String key = patch(upload, 0, "abc").header("Entrepot-File-Key");
        assertThat(tus("DELETE", upload, new byte[0]).code()).isEqualTo("pool.upload-not-found");
        assertThat(head(upload).header("Entrepot-File-Key")).isEqualTo(key);
        assertThat(content(key)).isEqualTo("abc");
    }

    @Test
    void method_whenOverridden_isTheOtherOne() throws Exception {
        String upload = begin("Upload-Length", "3");
        Answered patched = tus("POST", upload, "ab".getBytes(UTF_8), "X-HTTP-Method-Override", "PATCH", "Content-Type",
                PIECE, "Upload-Offset", "0");
        assertThat(patched.status()).isEqualTo(204);
        assertThat(tus("POST", upload, new byte[0], "X-HTTP-Method-Override", "HEAD").header("Upload-Offset"))
                .isEqualTo("2");
        assertThat(tus("POST", upload, new byte[0]).code()).isEqualTo("http.invalid-value");
        assertThat(tus("POST", upload, new byte[0], "X-HTTP-Method-Override", "DELETE").status()).isEqualTo(204);
        assertThat(head(upload).status()).isEqualTo(410);
    }

    /** The connection ends in the middle of a piece: what came counts. */
    @Test
    void piece_whenTheConnectionBreaks_keepsWhatHasCome() throws Exception {
        String upload = begin("Upload-Length", "500000");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("PATCH " + upload + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + server.admin()
                    + "\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: " + PIECE
                    + "\r\nContent-Length: 500000\r\n\r\n").getBytes(UTF_8));
            out.write(new byte[123_456]);
            out.flush();
        }
        await().until(() -> head(upload).header("Upload-Offset").equals("123456"));
        assertThat(patch(upload, 123_456, "x".repeat(376_544)).header("Entrepot-File-Key")).isNotEmpty();
    }

    /** Everything came, and then the server could not go on: whoever looks gets it finished. */
    @Test
    void head_whenAllCameAndItWasNotFinished_finishesIt() throws Exception {
        String upload = begin("Upload-Length", "3");
        server.pool().uploads().append(TENANT, new io.entrepot.pool.UploadId(upload.substring(PATH.length() + 1)), 0,
                "abc".getBytes(UTF_8));
        server.call("PATCH", "/v1/tenants/default", "{\"status\":\"suspended\"}");
        assertThat(head(upload).status()).isEqualTo(423);
        server.call("PATCH", "/v1/tenants/default", "{\"status\":\"enabled\"}");
        assertThat(content(head(upload).header("Entrepot-File-Key"))).isEqualTo("abc");
    }

    @Test
    void page_ofAnAllowedOrigin_maySendAndReadWhatTusNeeds() {
        String[] asked = {"Origin", "https://page.example", "Access-Control-Request-Method", "PATCH"};
        Answered answer = server.send("OPTIONS", PATH, "", BodyPublishers.noBody(), asked);
        assertThat(answer.header("Access-Control-Allow-Headers")).contains("Tus-Resumable", "Upload-Offset",
                "Upload-Length", "Upload-Metadata", "Upload-Checksum", "X-HTTP-Method-Override");
        assertThat(answer.header("Access-Control-Allow-Methods")).contains("PATCH", "HEAD", "DELETE");
        Answered made = tus("POST", PATH, new byte[0], "Upload-Length", "3", "Origin", "https://page.example");
        assertThat(made.header("Access-Control-Allow-Origin")).isEqualTo("https://page.example");
        assertThat(made.header("Access-Control-Expose-Headers")).contains("Location", "Upload-Offset",
                "Upload-Length", "Upload-Expires", "Entrepot-File-Key", "Tus-Resumable");
    }
}
