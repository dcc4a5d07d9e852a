package io.entrepot.server.route;

import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All routes. Immutable. */
public record RouteTable(List<Route> routes) {

    public RouteTable {
        routes = List.copyOf(routes);
        Set<String> ids = new HashSet<>();
        for (Route route : routes) {
            if (route.id().isEmpty() || !ids.add(route.id()) || route.gives().isEmpty()) {
                throw new IllegalArgumentException(route + " has no id of its own, or does not say what it answers");
            }
        }
    }

    /** Makes them known to the server. */
    public void register(RoutesConfig server, Reception reception) {
        for (Route route : routes) {
            register(server, reception, route.method(), route);
            if (hasHeadByGet(route)) {
                register(server, reception, Method.HEAD, route);
            }
        }
        server.exception(HttpResponseException.class, (e, context) -> reception.refuse(context, refusal(e, context)));
        server.exception(Exception.class, (_, context) -> reception.refuse(context, Problem.of(Code.INTERNAL,
                "something went wrong that should not")));
    }

    private static void register(RoutesConfig server, Reception reception, Method method, Route route) {
        server.addHttpHandler(HandlerType.findOrCreate(method.name()), route.path(),
                context -> reception.receive(context, route));
    }

    /**
     * Whether HEAD is answered as GET is, without the body. Javalin would answer it by itself otherwise: with 200, whoever asks, and
     * also for a server that is not ready.
     */
    private boolean hasHeadByGet(Route route) {
        return route.method() == Method.GET && routes.stream().noneMatch(other -> other.method() == Method.HEAD
                && other.path().equals(route.path()));
    }

    private Problem refusal(HttpResponseException e, Context context) {
        String path = context.path();
        if (e.getStatus() == Code.NOT_FOUND.status()) {
            return Problem.of(Code.NOT_FOUND, "there is nothing at " + path + "; /v1/openapi.json lists what there is");
        }
        if (e.getStatus() == Code.METHOD_NOT_ALLOWED.status()) {
            String allowed = routes.stream().filter(route -> route.matches(path))
                    .flatMap(route -> hasHeadByGet(route)
                            ? Stream.of(Method.GET, Method.HEAD)
                            : Stream.of(route.method()))
                    .map(Method::name).distinct().sorted().collect(Collectors.joining(", "));
            context.header("Allow", allowed);
            return Problem.of(Code.METHOD_NOT_ALLOWED, path + " can be called by " + allowed);
        }
        return Problem.of(Code.BAD_REQUEST, "the request cannot be understood");
    }
}
