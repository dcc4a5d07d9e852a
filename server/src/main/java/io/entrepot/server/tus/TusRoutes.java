package io.entrepot.server.tus;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.UploadId;
import io.entrepot.server.access.Access;
import io.entrepot.server.http.LimitedStream;
import io.entrepot.server.json.Input;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Method;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import io.entrepot.server.tus.TusUploads.Progress;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Uploads that go on after a break, for the clients that there are: tus 1.0.0 with most of its extensions. */
public final class TusRoutes {
    private static final Input<String> RESUMABLE = Input.text(Tus.RESUMABLE, "The version of the protocol: 1.0.0.");
    private static final Input<Long> OFFSET = Input.whole(Tus.OFFSET, 0, Long.MAX_VALUE, "Where the piece begins.");
    private static final Input<Long> LENGTH = Input.whole(Tus.LENGTH, 0, Long.MAX_VALUE,
            "How many bytes the file has.");
    private static final Input<Long> DEFER = Input.whole(Tus.DEFER, 1, 1, "1 if that is told later.");
    private static final Input<String> METADATA = Input.text(Tus.METADATA,
            "Names, each with a value in base64: filename,"
                    + " filetype, directory, priority, availableAt, idempotencyKey, label.NAME. Others are kept and given back.");
    private static final Input<String> CHECKSUM = Input.text(Tus.CHECKSUM,
            "Of the piece, as \"sha256 base64\"; sha1 and"
                    + " md5 are known too. With it the piece counts whole or not at all.");
    private static final Input<String> OVERRIDE = Input.text(Tus.OVERRIDE, "The method that is meant: PATCH, HEAD or"
            + " DELETE.");
    private static final Input<String> IDEMPOTENCY = Input.text("Idempotency-Key",
            "The same key with the same content and name is the same file, however often it is sent.");
    private static final String PATH = "/v1/tenants/{tenant}/uploads";
    private static final String ONE = PATH + "/{upload}";
    private static final String TAG = "Uploads";
    private static final Code[] WRITING = {Code.TUS_VERSION, Code.TENANT_SUSPENDED, Code.DIRECTORY_QUOTA,
            Code.TENANT_QUOTA, Code.VOLUME_UNAVAILABLE, Code.INSUFFICIENT_STORAGE, Code.INVALID_NAME,
            Code.INVALID_SETTING, Code.IDEMPOTENCY_CONFLICT, Code.CHECKSUM_MISMATCH, Code.UPLOAD_OFFSET,
            Code.UPLOAD_GONE, Code.MISSING_VALUE, Code.UPLOAD_NOT_FOUND};

    private final TusUploads uploads;

    public TusRoutes(TusUploads uploads) {
        this.uploads = uploads;
    }

    public List<Route> routes() {
        return List.of(options("tusOptions", PATH), options("tusUploadOptions", ONE),
                piece(Route.post(PATH).as("createUpload", TAG, "Begin a file that comes in pieces (tus 1.0.0)"), false)
                        .header(RESUMABLE, LENGTH, DEFER, METADATA, CHECKSUM, OVERRIDE, IDEMPOTENCY)
                        .gives(bare(201, "Begun. `Location` is where the pieces go; `Upload-Offset` how many bytes have"
                                + " come with this."))
                        .does(this::create),
                Route.of(Method.HEAD, ONE).needs(Access.WRITE).as("headUpload", TAG, "Where an upload goes on (tus)")
                        .header(RESUMABLE)
                        .gives(bare(200, "`Upload-Offset`, `Upload-Length`, `Upload-Metadata`, `Upload-Expires`; if it"
                                + " is finished `Entrepot-File-Key`."))
                        .problems(Code.UPLOAD_NOT_FOUND, Code.UPLOAD_GONE, Code.UPLOAD_LOCKED, Code.TUS_VERSION)
                        .does(this::head),
                piece(Route.of(Method.PATCH, ONE).as("appendToUpload", TAG, "Add a piece (tus)"), true)
                        .header(RESUMABLE, OFFSET, LENGTH, CHECKSUM)
                        .gives(bare(204,
                                "`Upload-Offset` is where the next piece begins. With the last piece the file is"
                                        + " stored: it survives a crash, and `Entrepot-File-Key` is its key."))
                        .does(this::append),
                Route.of(Method.DELETE, ONE).needs(Access.WRITE).header(RESUMABLE)
                        .as("cancelUpload", TAG, "Drop one and what has come (tus or not)").givesNothing()
                        .problems(Code.UPLOAD_NOT_FOUND, Code.UPLOAD_GONE, Code.TUS_VERSION).does(this::cancel),
                piece(Route.post(ONE).as("overrideUpload", TAG,
                        "The same as another method, for those who can only POST"
                                + " (tus)"),
                        false).header(RESUMABLE, OVERRIDE, OFFSET, LENGTH, CHECKSUM)
                        .gives(bare(200, "As by HEAD.")).gives(bare(204, "As by PATCH or DELETE."))
                        .problems(Code.UPLOAD_LOCKED).does(this::override));
    }

    private Route options(String id, String path) {
        return Route.of(Method.OPTIONS, path).needs(Access.PUBLIC).as(id, TAG, "What of tus is spoken here")
                .gives(bare(204, "`Tus-Version`, `Tus-Extension`, `Tus-Max-Size`, `Tus-Checksum-Algorithm`."))
                .does(call -> {
                    speak(call).header("Tus-Extension", Tus.EXTENSIONS)
                            .header(Tus.MAX_SIZE, Long.toString(uploads.largest()))
                            .header("Tus-Checksum-Algorithm", Checksum.ALGORITHMS);
                    return Reply.empty();
                });
    }

    private static Route piece(Route route, boolean required) {
        return route.needs(Access.WRITE).takes(new Route.Takes(List.of(Tus.PIECE), Optional.empty(), required,
                "The bytes of the piece.")).problems(WRITING);
    }

    private static Route.Gives bare(int status, String meaning) {
        return new Route.Gives(status, "", Optional.empty(), meaning);
    }

    private Reply create(Call call) throws IOException, InterruptedException {
        Context http = speak(call);
        requireVersion(call, true);
        if (call.header(OVERRIDE).filter(method -> !method.equalsIgnoreCase("POST")).isPresent()) {
            throw new ProblemException(Code.INVALID_VALUE, "\"" + Tus.OVERRIDE + "\": nothing but POST is done here");
        }
        if (call.headerText(Tus.CONCAT).isPresent()) {
            throw new ProblemException(Code.INVALID_VALUE, "\"" + Tus.CONCAT
                    + "\": files cannot be put together from uploads; send one upload");
        }
        boolean withPiece = withPiece(call);
        Metadata metadata = Metadata.parse(call.headerText(Tus.METADATA).orElse(""));
        NewFile said = metadata.describe(NewFile.unnamed().from("tus " + call.who().id()));
        NewFile keyed = call.header(IDEMPOTENCY).map(said::withIdempotencyKey).orElse(said);
        OptionalLong length = length(call);
        UploadId upload = uploads.begin(call.tenant(), length.isPresent() ? keyed.ofSize(length.getAsLong()) : keyed,
                metadata);
        // First of all: whoever is told of a problem with the piece can go on all the same.
        http.header("Location", PATH.replace("{tenant}", call.tenant().toString()) + "/" + upload);
        http.status(201);
        Progress begun = uploads.progress(call.tenant(), upload);
        if (withPiece) {
            append(call, begun, 0);
        }
        tell(call, begun);
        return Reply.written();
    }

    private static boolean withPiece(Call call) {
        if (call.mediaType().equals(Tus.PIECE)) {
            return true;
        }
        if (call.http().req().getContentLengthLong() > 0 || call.http().header("Transfer-Encoding") != null) {
            throw wrongType(call);
        }
        return false;
    }

    private OptionalLong length(Call call) {
        Optional<Long> length = call.header(LENGTH);
        if (length.isPresent() == call.header(DEFER).isPresent()) {
            throw new ProblemException(Code.MISSING_VALUE, "say how many bytes will come by " + Tus.LENGTH
                    + ", or that this is told later by " + Tus.DEFER + ": 1");
        }
        if (length.orElse(0L) > uploads.largest()) {
            call.http().header(Tus.MAX_SIZE, Long.toString(uploads.largest()));
            throw LimitedStream.tooLarge(uploads.largest());
        }
        return length.isPresent() ? OptionalLong.of(length.get()) : OptionalLong.empty();
    }

    private Reply head(Call call) throws InterruptedException {
        Context http = speak(call);
        requireVersion(call, false);
        Progress progress = uploads.progress(call.tenant(), upload(call));
        Optional<StoredFile> stored = uploads.finishOnLook(progress);
        http.status(200).header(Tus.OFFSET, Long.toString(progress.status().offset()));
        if (progress.length().isPresent()) {
            http.header(Tus.LENGTH, Long.toString(progress.length().getAsLong()));
        } else {
            http.header(Tus.DEFER, "1");
        }
        if (!progress.metadata().isEmpty()) {
            http.header(Tus.METADATA, progress.metadata());
        }
        if (stored.isPresent()) {
            http.header(Tus.FILE_KEY, stored.get().key().toString());
        } else {
            Tus.expires(http, progress.status().expires());
        }
        return Reply.written();
    }

    private Reply append(Call call) throws IOException, InterruptedException {
        speak(call);
        requireVersion(call, true);
        if (!call.mediaType().equals(Tus.PIECE)) {
            throw wrongType(call);
        }
        long offset = call.header(OFFSET).orElseThrow(() -> new ProblemException(Code.MISSING_VALUE, "\"" + Tus.OFFSET
                + "\" is missing: where the piece begins"));
        Progress before = uploads.progress(call.tenant(), upload(call));
        Progress progress = call.header(LENGTH).map(length -> uploads.tellLength(before, length)).orElse(before);
        append(call, progress, offset);
        call.http().status(204);
        tell(call, progress);
        return Reply.written();
    }

    private void append(Call call, Progress progress, long offset) throws IOException, InterruptedException {
        Optional<Checksum> checksum = call.headerText(Tus.CHECKSUM).map(Checksum::parse);
        // How many bytes there is room for the upload knows.
        uploads.append(progress, offset, call.incoming(Long.MAX_VALUE), call.http().req().getContentLengthLong(),
                checksum);
    }

    /** How far it is now; and if that is the end, which file it has come to. */
    private void tell(Call call, Progress before) throws InterruptedException {
        Progress now = uploads.progress(before.status().tenant(), before.status().id());
        call.http().header(Tus.OFFSET, Long.toString(now.status().offset()));
        Optional<StoredFile> stored = uploads.finish(now);
        if (stored.isPresent()) {
            call.http().header(Tus.FILE_KEY, stored.get().key().toString());
        } else {
            Tus.expires(call.http(), now.status().expires());
        }
    }

    private Reply cancel(Call call) throws InterruptedException {
        speak(call);
        requireVersion(call, false);
        Progress progress = uploads.progress(call.tenant(), upload(call));
        if (!uploads.cancel(progress)) {
            throw new ProblemException(Code.UPLOAD_NOT_FOUND, "upload " + call.path("upload") + " of tenant "
                    + call.tenant() + " is finished: delete the file instead");
        }
        return Reply.empty();
    }

    private Reply override(Call call) throws IOException, InterruptedException {
        return switch (call.header(OVERRIDE).orElse("").toUpperCase(Locale.ROOT)) {
            case "PATCH" -> append(call);
            case "HEAD" -> head(call);
            case "DELETE" -> cancel(call);
            default -> throw new ProblemException(Code.INVALID_VALUE, "\"" + Tus.OVERRIDE
                    + "\": says what is meant by this POST: PATCH, HEAD or DELETE");
        };
    }

    /** Every answer says which version it is of. */
    private static Context speak(Call call) {
        return call.http().header(Tus.RESUMABLE, Tus.VERSION).header("Tus-Version", Tus.VERSION);
    }

    private static void requireVersion(Call call, boolean always) {
        Optional<String> version = call.header(RESUMABLE);
        if (version.filter(Tus.VERSION::equals).isEmpty() && (always || version.isPresent())) {
            throw new ProblemException(Code.TUS_VERSION, "\"" + Tus.RESUMABLE + "\": is " + Tus.VERSION + " here, not "
                    + version.orElse("missing"));
        }
    }

    private static UploadId upload(Call call) {
        if (!UploadId.isValid(call.path("upload"))) {
            throw new ProblemException(Code.UPLOAD_NOT_FOUND, "tenant " + call.tenant() + " has no upload "
                    + call.path("upload"));
        }
        return new UploadId(call.path("upload"));
    }

    private static ProblemException wrongType(Call call) {
        return new ProblemException(Code.UNSUPPORTED_MEDIA_TYPE, "the body is "
                + (call.mediaType().isEmpty() ? "of no type" : call.mediaType()) + "; " + Tus.PIECE + " is wanted");
    }
}
