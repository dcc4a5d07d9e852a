package io.entrepot.server.openapi;

import io.entrepot.server.access.Access;
import io.entrepot.server.json.Json;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import io.entrepot.server.route.RouteTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The description of all routes, itself among them, for programs and for people. */
public final class DocRoutes {
    private static final String TAG = "Description";
    private static final String SELF = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private DocRoutes() {}

    /** The table with the routes of its own description. */
    public static RouteTable describe(List<Route> routes) {
        List<Route> all = new ArrayList<>(routes);
        AtomicReference<byte[]> document = new AtomicReference<>(new byte[0]);
        List<RouteTable> whole = new ArrayList<>();
        all.add(page("/v1/openapi.json", "getOpenApi", "This description, as OpenAPI 3.1", "application/json",
                _ -> written(whole, document)));
        all.add(page("/", "getStart", "The description as a page, for who opens the address in a browser", "text/html",
                _ -> resource("docs.html")));
        all.add(page("/v1/docs", "getDocs", "The same as a page", "text/html", _ -> resource("docs.html")));
        all.add(page("/v1/docs/docs.js", "getDocsScript", "What makes the page", "text/javascript",
                _ -> resource("docs.js")));
        all.add(page("/v1/docs/try.js", "getDocsTrial", "What makes calls from the page", "text/javascript",
                _ -> resource("try.js")));
        all.add(page("/v1/docs/docs.css", "getDocsStyle", "How the page looks", "text/css",
                _ -> resource("docs.css")));
        RouteTable table = new RouteTable(all);
        whole.add(table);
        return table;
    }

    /** Made when somebody first asks, as a start need not wait for it. */
    private static byte[] written(List<RouteTable> table, AtomicReference<byte[]> document) {
        return document.updateAndGet(before -> before.length > 0 ? before : Json.write(OpenApi.of(table.getFirst())));
    }

    /** What is on a page. */
    @FunctionalInterface
    private interface Bytes {
        byte[] of(Call call);
    }

    private static Route page(String path, String id, String summary, String type, Bytes bytes) {
        return Route.get(path).needs(Access.PUBLIC).as(id, TAG, summary)
                .gives(new Route.Gives(200, type, Optional.empty(), "The page.")).does(call -> {
                    call.http().header("Content-Security-Policy", SELF).header("Cache-Control", "no-cache");
                    return new Reply.Page(type + (type.startsWith("text/") ? "; charset=utf-8" : ""), bytes.of(call));
                });
    }

    private static byte[] resource(String name) {
        try (InputStream in = DocRoutes.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
