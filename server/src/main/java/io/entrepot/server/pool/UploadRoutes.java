package io.entrepot.server.pool;

import io.entrepot.pool.Pool;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadStatus;
import io.entrepot.server.access.Access;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.util.List;

/** Files that come in pieces and are not finished, as JSON. How the pieces come is in {@link io.entrepot.server.tus.TusRoutes}. */
public final class UploadRoutes {
    private static final Answer<UploadStatus> UPLOAD = Answer.<UploadStatus>named("Upload")
            .with("id", Type.TEXT, "What it is called.", UploadStatus::id)
            .maybe("name", Type.TEXT, "The name it came with.", it -> it.file().name())
            .with("directory", Type.TEXT, "Its logical directory.", it -> it.file().directory())
            .with("offset", Type.COUNT, "So many bytes are durable.", UploadStatus::offset)
            .maybe("size", Type.COUNT, "How many it will be, if that was told.", UploadStatus::size)
            .with("begun", Type.TIME, "When it was begun.", UploadStatus::begun)
            .with("expires", Type.TIME, "When it is dropped unless something comes.", UploadStatus::expires)
            .maybe("stored", FileAnswers.STORED.type(), "The file it came to, if it is finished.",
                    UploadStatus::stored);
    private static final Answer<List<UploadStatus>> UPLOADS = UPLOAD.listed("Uploads", "uploads");
    private static final String PATH = "/v1/tenants/{tenant}/uploads";
    private static final String TAG = "Uploads";

    private final Pool pool;

    public UploadRoutes(Pool pool) {
        this.pool = pool;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(PATH).needs(Access.WRITE).as("listUploads", TAG, "Those that are not finished, oldest first")
                        .gives(200, UPLOADS, "The uploads.")
                        .does(call -> Reply.ok(UPLOADS, pool.uploads().list(call.tenant()))),
                Route.get(PATH + "/{upload}").needs(Access.WRITE).as("getUpload", TAG, "How far one is")
                        .gives(200, UPLOAD, "The upload.").problems(Code.UPLOAD_NOT_FOUND)
                        .does(call -> Reply.ok(UPLOAD, pool.uploads().status(call.tenant(), upload(call)))));
    }

    private static UploadId upload(Call call) {
        if (!UploadId.isValid(call.path("upload"))) {
            throw unknown(call);
        }
        return new UploadId(call.path("upload"));
    }

    private static ProblemException unknown(Call call) {
        return new ProblemException(Code.UPLOAD_NOT_FOUND, "tenant " + call.tenant() + " has no upload "
                + call.path("upload") + " that is not finished");
    }
}
