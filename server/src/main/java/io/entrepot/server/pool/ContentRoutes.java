package io.entrepot.server.pool;

import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.Pool;
import io.entrepot.server.access.Access;
import io.entrepot.server.http.ByteRange;
import io.entrepot.server.http.Disposition;
import io.entrepot.server.http.EntityTag;
import io.entrepot.server.json.Input;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Method;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The bytes of a file: whole or in part, under conditions, with their checksum as the tag. */
public final class ContentRoutes {
    private static final Input<Boolean> VERIFY = Input.truth("verify",
            "Compare with the checksum on the way. If it is not what was written, the connection is cut before the end.");
    private static final Input<String> RANGE = Input.text("Range", "A part, as bytes=0-99, bytes=100- or bytes=-100. Of"
            + " several parts at once the whole is given.");
    private static final Input<String> IF_MATCH = Input.text("If-Match", "Only if it is this one.");
    private static final Input<String> IF_NONE_MATCH = Input.text("If-None-Match", "Only if it is not this one.");
    private static final Input<String> IF_RANGE = Input.text("If-Range", "The part only if it is this one, else the"
            + " whole.");
    private static final String BYTES = "application/octet-stream";
    private static final String PATH = "/v1/tenants/{tenant}/files/{key}/content";
    private static final int PIECE = 256 << 10;

    private final Pool pool;

    public ContentRoutes(Pool pool) {
        this.pool = pool;
    }

    public List<Route> routes() {
        return List.of(route(Method.GET, "getContent", "The bytes of a file"),
                route(Method.HEAD, "headContent", "The same without the bytes"));
    }

    private Route route(Method method, String id, String summary) {
        return Route.of(method, PATH).needs(Access.READ).as(id, "Files", summary).query(VERIFY)
                .header(RANGE, IF_MATCH, IF_NONE_MATCH, IF_RANGE)
                .gives(new Route.Gives(200, BYTES, Optional.empty(), "All of it."))
                .gives(new Route.Gives(206, BYTES, Optional.empty(), "A part of it."))
                .gives(new Route.Gives(304, "", Optional.empty(), "It is the one that was named."))
                .problems(Code.PRECONDITION_FAILED, Code.RANGE, Code.DAMAGED_FILE, Code.VOLUME_UNAVAILABLE,
                        Code.BROKEN_BODY)
                .does(this::answer);
    }

    private Reply answer(Call call) throws IOException, InterruptedException {
        Context http = call.http();
        try (FileContent content = pool.files().open(call.tenant(), call.key())) {
            FileInfo file = content.file();
            EntityTag tag = new EntityTag(file.sha256().toString());
            if (call.headerText("If-Match").filter(header -> !tag.isIn(header, false)).isPresent()) {
                throw new ProblemException(Code.PRECONDITION_FAILED,
                        "the file is " + tag + ", not what If-Match names");
            }
            describe(http, file, tag);
            if (call.headerText("If-None-Match").filter(header -> tag.isIn(header, true)).isPresent()) {
                http.status(304);
                return Reply.written();
            }
            Optional<String> range = call.headerText("Range").filter(_ -> tag.holds(call.headerText("If-Range")));
            boolean verify = call.query(VERIFY, false);
            switch (ByteRange.of(verify ? Optional.empty() : range, content.size())) {
                case ByteRange.Wish.Whole() -> {
                    http.status(200);
                    http.res().setContentLengthLong(content.size());
                    send(call, verify ? content.verifiedStream() : content.stream(), verify);
                }
                case ByteRange.Wish.Part(ByteRange(long from, long length)) -> {
                    http.status(206).header("Content-Range", "bytes " + from + "-" + (from + length - 1) + "/"
                            + content.size());
                    http.res().setContentLengthLong(length);
                    send(call, content.stream(from, length), false);
                }
                case ByteRange.Wish.Nothing() -> {
                    http.header("Content-Range", "bytes */" + content.size());
                    throw new ProblemException(Code.RANGE, "the file has " + content.size() + " bytes: nothing of "
                            + range.orElse("") + " is there");
                }
            }
        }
        return Reply.written();
    }

    private static void describe(Context http, FileInfo file, EntityTag tag) {
        http.contentType(BYTES).header("ETag", tag.toString()).header("Accept-Ranges", "bytes")
                .header("Cache-Control", "private, no-cache")
                .header("Content-Disposition", Disposition.of(file.name(), file.key().toString()))
                .header("Repr-Digest", "sha-256=:" + Base64.getEncoder().encodeToString(file.sha256().bytes()) + ":");
    }

    /** @param heldBack the last piece goes out only when the stream has ended well */
    private static void send(Call call, InputStream in, boolean heldBack) throws IOException {
        if (call.wantsHeadOnly()) {
            return;
        }
        OutputStream out = call.http().res().getOutputStream();
        byte[] piece = new byte[Math.clamp(in.available(), 1, PIECE)];
        byte[] following = heldBack ? new byte[piece.length] : piece;
        int n = in.read(piece);
        while (n >= 0) {
            if (heldBack) {
                int after = in.read(following);
                out.write(piece, 0, n);
                byte[] spare = piece;
                piece = following;
                following = spare;
                n = after;
            } else {
                out.write(piece, 0, n);
                n = in.read(piece);
            }
        }
        out.flush();
    }
}
