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
            server.addHttpHandler(HandlerType.findOrCreate(route.method().name()), route.path(),
                    context -> reception.receive(context, route));
        }
        server.exception(HttpResponseException.class, (e, context) -> reception.refuse(context, refusal(e, context)));
        server.exception(Exception.class, (_, context) -> reception.refuse(context, Problem.of(Code.INTERNAL,
                "something went wrong that should not")));
    }

    private Problem refusal(HttpResponseException e, Context context) {
        String path = context.path();
        if (e.getStatus() == Code.NOT_FOUND.status()) {
            return Problem.of(Code.NOT_FOUND, "there is nothing at " + path + "; /v1/openapi.json lists what there is");
        }
        if (e.getStatus() == Code.METHOD_NOT_ALLOWED.status()) {
            String allowed = routes.stream().filter(route -> route.matches(path)).map(route -> route.method().name())
                    .distinct().sorted().collect(Collectors.joining(", "));
            context.header("Allow", allowed);
            return Problem.of(Code.METHOD_NOT_ALLOWED, path + " can be called by " + allowed);
        }
        return Problem.of(Code.BAD_REQUEST, "the request cannot be understood");
    }
}
