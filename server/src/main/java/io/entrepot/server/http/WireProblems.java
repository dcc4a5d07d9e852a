package io.entrepot.server.http;

import io.entrepot.server.json.Json;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.Problem;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** What Jetty itself refuses, before a request is one: told as a problem too, without its words and traces. */
public final class WireProblems extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus() < 400 ? Code.INTERNAL.status() : response.getStatus();
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
        response.write(true, ByteBuffer.wrap(body(status)), callback);
        return true;
    }

    private static byte[] body(int status) {
        Code code = switch (status) {
            case 408 -> Code.TIMEOUT;
            case 413 -> Code.TOO_LARGE;
            case 414, 431 -> Code.HEADERS_TOO_LARGE;
            case 500 -> Code.INTERNAL;
            case 503 -> Code.SHUTTING_DOWN;
            default -> Code.BAD_REQUEST;
        };
        Problem problem = Problem.of(code, switch (code) {
            case TIMEOUT -> "the request came too slowly";
            case TOO_LARGE -> "the request is too large";
            case HEADERS_TOO_LARGE -> "the head of the request is too large";
            case INTERNAL -> "something went wrong that should not";
            case SHUTTING_DOWN -> "the server is shutting down";
            default -> "this is not a request that can be understood";
        });
        return Json.write(new Problem(status, problem.code(), problem.title(), problem.detail(), problem.advice(),
                problem.retryAfter(), problem.more()).json(""));
    }
}
