package io.entrepot.client;

import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.UnknownOutcomeException;
import io.entrepot.store.Advice;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests, again if need be. The rules, for each attempt that brings no answer:
 *
 * <ul>
 * <li>the connection could not be made: nothing was done, it is tried again, whatever it is;
 * <li>the server is busy, closing, or wants to be asked less often: the same, after the pause that it wants;
 * <li>the connection broke, or nothing came: tried again only if doing it twice is doing it once ({@link Ask#repeatable}) and
 * its bytes can be sent again;
 * <li>the server was found through its data directory, and its address or key is another one there now: tried again with that;
 * who does not know the key is taken for a server that is away, as it has been started again or is somebody else;
 * <li>the server is not who it should be: never tried again, and nothing was sent, not even the key;
 * <li>anything else that the server says is its answer, and is thrown as the library would have.
 * </ul>
 *
 * If there is no more time, or it cannot be tried again: {@link UnknownOutcomeException} if it may have been done, else
 * {@link PoolUnavailableException}. Safe for use by many threads.
 */
final class Transport {
    private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}(-[0-9a-f]+){3}");

    private static final String INVALID_KEY = "access.invalid-key";

    /** Another one when a server that was found is found anew. Whoever makes a request reads it once. */
    private volatile ClientConfig config;
    private final HttpClient http;
    private volatile boolean closed;

    Transport(ClientConfig config) {
        this.config = config;
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(config.connectTimeout());
        config.trust().map(Trust::in).ifPresent(builder::sslContext);
        this.http = builder.build();
    }

    /** What an attempt came to: an answer, a refusal, or a connection that did not hold. */
    private record Attempt(@Nullable Answer answer, @Nullable Refusal refusal, @Nullable IOException failure,
            boolean begun) {}

    /** @throws InterruptedException if the caller is interrupted; what was asked may have been done */
    Answer send(Ask ask) throws InterruptedException {
        return send(ask, true);
    }

    /** The same for callers that cannot be interrupted: it waits all the same, as long as an attempt may take. */
    Answer sendCalmly(Ask ask) {
        boolean interrupted = Thread.interrupted();
        try {
            return send(ask, false);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupts are not heeded here", e);
        } finally {
            if (interrupted || Thread.interrupted()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Answer send(Ask ask, boolean heed) throws InterruptedException {
        Pauses pauses = new Pauses(config.deadline(), () -> ThreadLocalRandom.current().nextDouble());
        boolean unclear = false;
        while (true) {
            if (closed) {
                throw new PoolUnavailableException("closed", Advice.GIVE_UP, "the client is closed", null);
            }
            long began = System.nanoTime();
            ClientConfig used = config;
            Attempt attempt = once(ask, used, heed);
            pauses.spent(Duration.ofNanos(System.nanoTime() - began));
            if (attempt.answer != null) {
                return attempt.answer;
            }
            if (attempt.refusal != null && unclear && attempt.refusal.status() == 404
                    && ask.method().equals("DELETE")) {
                return Answer.nothing();
            }
            unclear |= mayHaveBeenDone(attempt);
            boolean again = mayRepeat(ask, attempt);
            if (isAway(attempt) && findAnew(used) && again) {
                continue;
            }
            Optional<Duration> pause = again
                    ? pauses.next(attempt.refusal == null ? Optional.empty() : attempt.refusal.retryAfter())
                    : Optional.empty();
            if (pause.isEmpty()) {
                throw given(ask, attempt, unclear);
            }
            pause(pause.get(), heed);
            pauses.spent(pause.get());
        }
    }

    private static boolean mayHaveBeenDone(Attempt attempt) {
        return attempt.begun && (attempt.refusal == null || attempt.refusal.isUnclear());
    }

    private boolean isAway(Attempt attempt) {
        return attempt.refusal == null || isForgotten(attempt.refusal);
    }

    /** A key that was found was good once: it ended with its server. */
    private boolean isForgotten(Refusal refusal) {
        return config.local().isPresent() && refusal.code().equals(INVALID_KEY);
    }

    /** Says whether there is something else to try than what was used; each such is tried once. */
    private boolean findAnew(ClientConfig used) {
        if (used.local().isEmpty()) {
            return false;
        }
        ClientConfig now = used.lookedUpAgain();
        boolean other = !now.equals(used);
        if (other) {
            config = now;
        }
        return other;
    }

    private boolean mayRepeat(Ask ask, Attempt attempt) {
        boolean again = ask.body().map(body -> !(body instanceof Body.Streamed streamed)
                || streamed.source().isRepeatable()).orElse(true);
        if (attempt.refusal != null) {
            boolean unsent = attempt.refusal.isPassing() || isForgotten(attempt.refusal)
                    || (attempt.refusal.isBroken() && ask.body().isPresent());
            return again && (unsent || (attempt.refusal.isUnclear() && ask.repeatable()));
        }
        if (attempt.failure != null && Trust.isRefusal(attempt.failure)) {
            return false; // it will not be trusted a moment later either
        }
        return again && (ask.repeatable() || !attempt.begun);
    }

    private RuntimeException given(Ask ask, Attempt attempt, boolean unclear) {
        boolean unknown = unclear && ask.changes();
        boolean forgotten = attempt.refusal != null && isForgotten(attempt.refusal);
        if (attempt.refusal != null && !forgotten && !attempt.refusal.isUnclear()
                && !(unknown && attempt.refusal.isPassing())) {
            return attempt.refusal.exception();
        }
        String what = ask.method() + " " + ask.path().replaceFirst("\\?.*", "") + " at " + config.server();
        String why = forgotten
                ? "who answers there does not know the key that the server had left in its data directory"
                : attempt.refusal != null
                        ? attempt.refusal.detail()
                        : attempt.failure == null ? "" : words(attempt.failure);
        if (unknown) {
            return new UnknownOutcomeException("it may or may not have been done, as no answer came (" + what + "): "
                    + why + "; look before doing it again", forgotten ? new IOException(why) : attempt.failure);
        }
        if (attempt.failure != null && Trust.isRefusal(attempt.failure)) {
            return new PoolUnavailableException("untrusted", Advice.GIVE_UP,
                    "the server is not trusted, and was sent nothing (" + what + "): "
                            + Trust.words(attempt.failure),
                    attempt.failure);
        }
        return new PoolUnavailableException("unreachable", Advice.RETRY, "the server cannot be reached (" + what + "): "
                + why, attempt.failure);
    }

    private static String words(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private Attempt once(Ask ask, ClientConfig used, boolean heed) throws InterruptedException {
        Body body = ask.body().orElse(null);
        Pump pump = body instanceof Body.Streamed streamed ? new Pump(streamed.source().size()) : null;
        CompletableFuture<HttpResponse<PulledBody>> future = http.sendAsync(request(ask, used, body, pump),
                info -> new PulledBody(config.idleTimeout()));
        try {
            if (pump != null && body instanceof Body.Streamed streamed) {
                CompletableFuture<?> unused = future.whenComplete((response, failure) -> pump.finish());
                try (InputStream in = streamed.source().open()) {
                    pump.run(in, config.idleTimeout());
                }
            }
            HttpResponse<PulledBody> response = await(future, config.idleTimeout().plus(ask.patience()), heed);
            return read(ask, response);
        } catch (IOException e) {
            future.cancel(true);
            return new Attempt(null, null, e, isBegun(e) && (pump == null || pump.isGivenWhole()));
        } catch (InterruptedException | RuntimeException e) {
            future.cancel(true);
            throw e;
        }
    }

    private Attempt read(Ask ask, HttpResponse<PulledBody> response) throws IOException {
        PulledBody body = response.body();
        if (response.statusCode() >= 400) {
            return new Attempt(null, Refusal.of(response.statusCode(), body.readAllBytes(),
                    response.headers().firstValue("Retry-After")), null, true);
        }
        byte[] bytes = ask.streamed() ? new byte[0] : body.readAllBytes();
        return new Attempt(new Answer(response.statusCode(), response.headers(), bytes, body), null, null, true);
    }

    /** Whether the server may have got something to do. */
    private static boolean isBegun(IOException e) {
        return !(e instanceof ConnectException) && !(e instanceof HttpConnectTimeoutException)
                && !(e instanceof SSLHandshakeException) && !Trust.isRefusal(e);
    }

    private HttpRequest request(Ask ask, ClientConfig used, @Nullable Body body, @Nullable Pump pump) {
        String base = used.server().toString().replaceFirst("/+$", "");
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(base + ask.path()))
                .header("Authorization", "Bearer " + used.key()).header("User-Agent", used.userAgent())
                .method(ask.method(), pump != null
                        ? pump
                        : body instanceof Body.Bytes bytes ? bytes.publisher() : BodyPublishers.noBody());
        if (pump != null) {
            builder.expectContinue(true); // so that a refusal is heard before gigabytes were sent
        }
        ask.headers().forEach(builder::header);
        used.traceparent().get().filter(text -> TRACEPARENT.matcher(text).matches())
                .ifPresent(text -> builder.header("traceparent", text));
        return builder.build();
    }

    private static HttpResponse<PulledBody> await(CompletableFuture<HttpResponse<PulledBody>> future, Duration time,
            boolean heed) throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (true) {
            try {
                return future.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                if (heed) {
                    throw e;
                }
            } catch (TimeoutException e) {
                throw new HttpTimeoutException("no answer came for " + time);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException io) {
                    throw io;
                }
                throw new IOException(String.valueOf(e.getCause()), e.getCause());
            }
        }
    }

    private static void pause(Duration time, boolean heed) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.sleep(left);
            } catch (InterruptedException e) {
                if (heed) {
                    throw e;
                }
            }
        }
    }

    ClientConfig config() {
        return config;
    }

    /** Nothing is asked any more. */
    void close() {
        closed = true;
    }
}
