package io.entrepot.server.route;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.TenantId;
import io.entrepot.server.access.Access;
import io.entrepot.server.access.Identity;
import io.entrepot.server.http.LateStream;
import io.entrepot.server.http.LimitedStream;
import io.entrepot.server.http.Pace;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Given;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Json;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One request, for the handler of its route. For one thread. */
public final class Call {
    private static final long LARGEST_JSON = 1 << 20;

    private final Context context;
    private final Route route;
    private final Identity who;
    private final String request;
    private final Pace pace;

    Call(Context context, Route route, Identity who, String request, Pace pace) {
        this.context = context;
        this.route = route;
        this.who = who;
        this.request = request;
        this.pace = pace;
    }

    public Identity who() {
        return who;
    }

    /** The id of the request. */
    public String request() {
        return request;
    }

    public Route route() {
        return route;
    }

    /** For what is not JSON. */
    public Context http() {
        return context;
    }

    /** Whether only the head of the answer is wanted. */
    public boolean wantsHeadOnly() {
        return context.method().name().equals(Method.HEAD.name());
    }

    /** A part of the path. */
    public String path(String name) {
        return context.pathParam(name);
    }

    /** The tenant in the path. What cannot be one is one that does not exist. */
    public TenantId tenant() {
        return tenant(context);
    }

    static TenantId tenant(Context context) {
        String name = context.pathParam("tenant");
        if (!TenantId.isValid(name)) {
            throw new ProblemException(Code.TENANT_NOT_FOUND, "there is no tenant " + name + ": a tenant has 1 to 63 of"
                    + " a-z 0-9 . _ -");
        }
        return new TenantId(name);
    }

    /** The file in the path. What cannot be one is one that does not exist. */
    public FileKey key() {
        String text = path("key");
        if (!FileKey.isValid(text)) {
            throw new FileNotFoundException(tenant(), text);
        }
        return FileKey.parse(text);
    }

    /** For a call about tenants that are not in the path. */
    public void require(Access access, TenantId tenant) {
        who.require(access, Optional.of(tenant));
    }

    public <T> Optional<T> query(Input<T> input) {
        return Optional.ofNullable(context.queryParam(input.name())).map(input::read);
    }

    public <T> T query(Input<T> input, T otherwise) {
        return query(input).orElse(otherwise);
    }

    /** All of a name that may be there several times. */
    public <T> List<T> queryAll(Input<List<T>> input) {
        return context.queryParams(input.name()).stream().flatMap(text -> input.read(text).stream()).toList();
    }

    public <T> Optional<T> header(Input<T> input) {
        return Optional.ofNullable(context.header(input.name())).map(input::read);
    }

    /** The only one of that name; lists of conditions may come in several. */
    public Optional<String> headerText(String name) {
        Enumeration<String> all = context.req().getHeaders(name);
        StringBuilder text = new StringBuilder();
        while (all.hasMoreElements()) {
            text.append(text.isEmpty() ? "" : ", ").append(all.nextElement());
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
    }

    /** The JSON object that came with it; nothing, if nothing came and nothing is required. */
    public Given body(Ask ask) throws IOException {
        String type = mediaType();
        long length = context.req().getContentLengthLong();
        boolean required = route.takes().filter(Route.Takes::required).isPresent();
        if (type.isEmpty() && length <= 0 && context.header("Transfer-Encoding") == null && !required) {
            return Given.NOTHING;
        }
        if (!type.isEmpty() && !type.equals("application/json")) {
            throw new ProblemException(Code.UNSUPPORTED_MEDIA_TYPE, "the body is " + type
                    + "; application/json is wanted");
        }
        if (length > LARGEST_JSON) {
            throw LimitedStream.tooLarge(LARGEST_JSON);
        }
        JsonNode node;
        try (InputStream in = incoming(LARGEST_JSON)) {
            node = Json.read(in);
        }
        return ask.read(node);
    }

    /** The body as it comes: no more than so many bytes, and not too slowly. */
    public InputStream incoming(long most) throws IOException {
        return new LimitedStream(pace.keptBy(new LateStream(context.req()::getInputStream)), most);
    }

    /** Without parameters, in lower case; empty if none was said. */
    public String mediaType() {
        String type = context.contentType();
        return type == null ? "" : type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    }

    /** From where. */
    public String address() {
        return context.req().getRemoteAddr();
    }
}
