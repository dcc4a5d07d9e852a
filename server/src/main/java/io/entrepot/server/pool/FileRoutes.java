package io.entrepot.server.pool;

import io.entrepot.pool.FilePage;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.Pool;
import io.entrepot.server.access.Access;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import io.entrepot.server.pool.FileAnswers.Seen;
import io.entrepot.server.problem.Code;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Method;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which files there are, and what is known of each. How they get in is in {@link StoreRoutes}, how they are read in {@link ContentRoutes}. */
public final class FileRoutes {
    private record Page(List<Seen> files, String cursor) {}

    private static final Answer<Page> PAGE = Answer.<Page>named("FilePage")
            .with("files", new Type.ListOf(FileAnswers.FILE.type()), "Oldest first; may be fewer than asked for, even"
                    + " none, although others follow.", Page::files)
            .maybe("next", Type.TEXT, "The cursor of the next page; none after the last.",
                    page -> Optional.of(page.cursor).filter(text -> !text.isEmpty()));
    private static final Input<FileStatus> STATUS = Input.choice("status", FileStatus.class, "Only such.");
    private static final Input<String> DIR = Input.text("dir", "Only of this logical directory.");
    private static final Input<String> NAME = Input.text("name", "Only with such a name; * and ? stand for anything.");
    private static final Input<List<String>> LABEL = Input.text("label", "Only with this label, as a=b.").listed();
    private static final Input<String> VOLUME = Input.text("volume", "Only with their bytes on this volume.");
    private static final Input<String> CURSOR = Input.text("cursor", "Where the last page ended.");
    private static final Input<Long> LIMIT = Input.whole("limit", 1, FileQuery.MOST, "How many at most; 100 if not"
            + " said.");
    private static final Input<String> WHY = Input.text("why", "For its history.");
    private static final String TAG = "Files";

    private final Pool pool;

    public FileRoutes(Pool pool) {
        this.pool = pool;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/tenants/{tenant}/files").needs(Access.READ)
                        .as("listFiles", TAG, "A page of files, oldest first")
                        .query(STATUS, DIR, NAME, LABEL, VOLUME, CURSOR, LIMIT).gives(200, PAGE, "A page.")
                        .problems(Code.INVALID_NAME, Code.INVALID_SETTING, Code.VOLUME_NOT_FOUND).does(this::list),
                Route.get("/v1/tenants/{tenant}/files/{key}").needs(Access.READ)
                        .as("getFile", TAG, "What is known of a file")
                        .gives(200, FileAnswers.FILE, "The file.").does(this::get),
                Route.of(Method.DELETE, "/v1/tenants/{tenant}/files/{key}").needs(Access.WRITE)
                        .as("deleteFile", TAG, "Take a file out for good, whatever its state; whoever has it loses it")
                        .query(WHY).givesNothing().inAudit().does(this::delete),
                Route.post("/v1/tenants/{tenant}/files/{key}/verify").needs(Access.READ)
                        .as("verifyFile", TAG, "Read all its bytes and compare them with its checksum")
                        .givesNothing().problems(Code.DAMAGED_FILE, Code.VOLUME_UNAVAILABLE, Code.BROKEN_BODY)
                        .does(this::verify));
    }

    private Reply list(Call call) {
        FileQuery query = new FileQuery(call.tenant(), call.query(STATUS), call.query(DIR).map(LogicalDirectory::of),
                call.query(NAME), labels(call.queryAll(LABEL)), call.query(VOLUME), call.query(CURSOR, ""),
                Math.toIntExact(call.query(LIMIT, 100L)));
        FilePage page = pool.files().list(query);
        boolean withPath = call.who().isAdmin();
        return Reply.ok(PAGE, new Page(page.files().stream().map(file -> new Seen(file, withPath)).toList(),
                page.cursor()));
    }

    /** As they are written: a=b. */
    static Map<String, String> labels(List<String> texts) {
        Map<String, String> labels = new TreeMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("\"label\": is written as name=value, not \"" + text + "\"");
            }
            labels.put(text.substring(0, equals), text.substring(equals + 1));
        }
        return labels;
    }

    private Reply get(Call call) {
        return Reply.ok(FileAnswers.FILE, new Seen(pool.files().get(call.tenant(), call.key()), call.who().isAdmin()));
    }

    private Reply delete(Call call) {
        pool.files().delete(call.tenant(), call.key(), call.query(WHY, "deleted over HTTP by key " + call.who().id()));
        return Reply.empty();
    }

    private Reply verify(Call call) throws IOException, InterruptedException {
        pool.files().verify(call.tenant(), call.key());
        return Reply.empty();
    }
}
