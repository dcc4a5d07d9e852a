package io.entrepot.server.pool;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.server.access.Access;
import io.entrepot.server.http.LimitedStream;
import io.entrepot.server.http.Multipart;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Input;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.Problem;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.problem.Problems;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How files get in: one as the body of a request, or several in a form. Bytes go from the connection to the volume; nothing is
 * kept in memory but a buffer.
 */
public final class StoreRoutes {
    private static final Input<String> NAME = Input.text("name", "The original name, for people.");
    private static final Input<String> DIR = Input.text("dir", "The logical directory, for quotas; / if not said.");
    private static final Input<Long> PRIORITY = Input.whole("priority", Integer.MIN_VALUE, Integer.MAX_VALUE,
            "Higher goes first; 0 if not said.");
    private static final Input<Instant> AVAILABLE = Inputs.time("availableAt", "Not handed out before.");
    private static final Input<Instant> MODIFIED = Inputs.time("modified",
            "When its source was last changed; one before the year 1 or after 9999 is left out.");
    private static final Input<List<String>> LABEL = Input.text("label", "A label, as a=b; any number.").listed();
    private static final Input<String> IDEMPOTENCY = Input.text("Idempotency-Key",
            "The same key with the same content and name is the same file, however often it is sent.");
    private static final String FORM = "multipart/form-data";
    private static final Answer<List<StoredFile>> STORED = FileAnswers.STORED.listed("StoredFiles", "files");

    private final Pool pool;
    private final LongSupplier maxUpload;

    public StoreRoutes(Pool pool, LongSupplier maxUpload) {
        this.pool = pool;
        this.maxUpload = maxUpload;
    }

    public List<Route> routes() {
        return List.of(Route.post("/v1/tenants/{tenant}/files").needs(Access.WRITE)
                .as("storeFile", "Files", "Store a file: what is answered with 201 survives a crash")
                .query(NAME, DIR, PRIORITY, AVAILABLE, MODIFIED, LABEL).header(IDEMPOTENCY)
                .takes(new Route.Takes(List.of("application/octet-stream", FORM), Optional.empty(), false,
                        "The bytes of one file. Any media type is taken for them, but `multipart/form-data` is a form with files in"
                                + " it: fields `dir`, `priority`, `availableAt`, `modified` and `label` are about the files that follow"
                                + " them, and go over the query. Files of a form are stored one after the other; if one is refused, those"
                                + " before it are stored and listed in the problem as `files`."))
                .gives(201, STORED, "Stored.").gives(200, STORED, "They were stored before, with this idempotency key.")
                .problems(Code.TENANT_SUSPENDED, Code.DIRECTORY_QUOTA, Code.TENANT_QUOTA, Code.VOLUME_UNAVAILABLE,
                        Code.INSUFFICIENT_STORAGE, Code.INVALID_NAME, Code.INVALID_SETTING, Code.IDEMPOTENCY_CONFLICT,
                        Code.BROKEN_FORM, Code.UNKNOWN_FIELD)
                .does(this::store));
    }

    private Reply store(Call call) throws IOException, InterruptedException {
        long length = call.http().req().getContentLengthLong();
        long most = maxUpload.getAsLong();
        if (length > most) {
            throw LimitedStream.tooLarge(most);
        }
        InputStream body = call.incoming(most);
        NewFile file = described(call);
        List<StoredFile> stored = call.mediaType().equals(FORM)
                ? form(call, file, Multipart.of(body, String.valueOf(call.http().contentType())))
                : List.of(pool.files().write(call.tenant(), length < 0 ? file : file.ofSize(length), body));
        boolean created = stored.stream().anyMatch(StoredFile::created);
        Reply.Body reply = Reply.of(created ? 201 : 200, STORED, stored);
        return stored.size() == 1
                ? reply.with("Location", "/v1/tenants/" + call.tenant() + "/files/" + stored.getFirst().key())
                : reply;
    }

    private static NewFile described(Call call) {
        NewFile file = NewFile.unnamed().in(call.query(DIR, "/"))
                .withPriority(Math.toIntExact(call.query(PRIORITY, 0L)))
                .withLabels(FileRoutes.labels(call.queryAll(LABEL))).from("http " + call.who().id());
        file = call.query(NAME).map(file::withName).orElse(file);
        file = call.query(AVAILABLE).map(file::availableAt).orElse(file);
        file = call.query(MODIFIED).map(file::withModified).orElse(file);
        return call.header(IDEMPOTENCY).map(file::withIdempotencyKey).orElse(file);
    }

    private List<StoredFile> form(Call call, NewFile before, Multipart form) throws IOException, InterruptedException {
        List<StoredFile> stored = new ArrayList<>();
        NewFile about = before;
        try {
            for (Optional<Multipart.Part> part = form.next(); part.isPresent(); part = form.next()) {
                if (part.get().file().isEmpty()) {
                    about = changed(about, part.get().name(), part.get().text());
                } else {
                    stored.add(write(call.tenant(), about, part.get(), stored.size()));
                }
            }
        } catch (IOException | RuntimeException e) {
            if (stored.isEmpty()) {
                throw e;
            }
            Problem problem = Problems.of(e);
            throw new ProblemException(problem.with(Map.of("files", stored.stream().map(FileAnswers.STORED::of)
                    .toList())));
        }
        if (stored.isEmpty()) {
            throw new ProblemException(Code.BROKEN_FORM, "there is no file in the form");
        }
        return stored;
    }

    private StoredFile write(TenantId tenant, NewFile about, Multipart.Part part, int number)
            throws IOException, InterruptedException {
        NewFile file = part.file().filter(name -> !name.isEmpty()).map(about::withName).orElse(about);
        NewFile keyed = about.idempotencyKey().map(key -> file.withIdempotencyKey(key + "#" + number)).orElse(file);
        return pool.files().write(tenant, keyed, part);
    }

    private static NewFile changed(NewFile file, String field, String text) {
        return switch (field) {
            case "dir" -> file.in(text);
            case "priority" -> file.withPriority(Math.toIntExact(PRIORITY.read(text)));
            case "availableAt" -> file.availableAt(AVAILABLE.read(text));
            case "modified" -> file.withModified(MODIFIED.read(text));
            case "label" -> {
                Map<String, String> labels = new LinkedHashMap<>(file.labels());
                labels.putAll(FileRoutes.labels(List.of(text)));
                yield file.withLabels(labels);
            }
            default -> throw Ask.unknown(Code.UNKNOWN_FIELD, field, List.of(DIR, PRIORITY, AVAILABLE, MODIFIED, LABEL));
        };
    }
}
