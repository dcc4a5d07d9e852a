package io.entrepot.server.webhook;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends one message once. Redirects are not followed, and nothing of the answer but its status is looked at: so a webhook cannot be
 * used to read what is behind this machine. Neither URLs nor secrets get into what is told of a failure. Safe for use by many
 * threads.
 */
final class Sender implements AutoCloseable {
    private static final int LARGEST_ANSWER = 64 << 10;
    private static final int THREADS = 16;

    private final Supplier<WebhookConfig> config;
    private final InstantSource wall;
    /** Platform threads, as looking up a name would pin a carrier; none while nothing is sent. */
    private final ThreadPoolExecutor threads;
    private @Nullable HttpClient client;

    /** What came of it. */
    sealed interface Outcome {
        Duration took();

        record Taken(int status, Duration took) implements Outcome {}

        /** @param retryAfter what the receiver asks for, if it does */
        record Failed(String why, Optional<Duration> retryAfter, Duration took) implements Outcome {}
    }

    Sender(Supplier<WebhookConfig> config, InstantSource wall) {
        this.config = config;
        this.wall = wall;
        this.threads = new ThreadPoolExecutor(THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("webhooks-", 0).factory());
        this.threads.allowCoreThreadTimeOut(true);
    }

    /** Made when the first message is sent: a server without webhooks pays nothing for them. */
    private synchronized HttpClient client() {
        HttpClient there = client;
        if (there == null) {
            there = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).executor(threads)
                    .version(HttpClient.Version.HTTP_1_1)
                    .proxy(HttpClient.Builder.NO_PROXY).build();
            client = there;
        }
        return there;
    }

    /** Why nothing may be sent there, if so; a name that is not known, or not known in time, may be one day. */
    Optional<String> refusal(URI url) throws InterruptedException {
        try {
            return look(url);
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    private Optional<String> look(URI url) throws InterruptedException, ExecutionException, TimeoutException {
        Targets targets = new Targets(config.get().allowLocal());
        return threads.submit(() -> targets.refusal(url)).get(config.get().timeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    Outcome send(URI url, SigningSecret secret, String webhook, Message message, int attempt)
            throws InterruptedException {
        long began = System.nanoTime();
        try {
            Optional<String> refusal = look(url);
            if (refusal.isPresent()) {
                return failed(refusal.get(), Optional.empty(), began);
            }
        } catch (ExecutionException e) {
            return failed("its name is not known", Optional.empty(), began);
        } catch (TimeoutException e) {
            return failed("its name could not be looked up in time", Optional.empty(), began);
        }
        Duration timeout = config.get().timeout();
        byte[] body = message.text().getBytes(StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(url).header("Content-Type", "application/json")
                .header("User-Agent", "Entrepot").header("Entrepot-Webhook", webhook)
                .header("Entrepot-Event-Id", message.id()).header("Entrepot-Event", message.type())
                .header("Entrepot-Attempt", Integer.toString(attempt))
                .header("Entrepot-Signature", secret.sign(wall.instant(), body))
                .timeout(timeout.plusSeconds(1)) // so that a connection is given up too
                .POST(BodyPublishers.ofByteArray(body)).build();
        CompletableFuture<HttpResponse<Boolean>> answer = client().sendAsync(request, _ -> new Ignored());
        try {
            HttpResponse<Boolean> response = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            int status = response.statusCode();
            return status / 100 == 2
                    ? new Outcome.Taken(status, since(began))
                    : failed("it answered " + status, retryAfter(response), began);
        } catch (TimeoutException e) {
            return failed("it did not answer within " + timeout.toMillis() + " ms", Optional.empty(), began);
        } catch (ExecutionException e) {
            return failed(words(e.getCause() == null ? e : e.getCause()), Optional.empty(), began);
        } finally {
            answer.cancel(true); // nothing, if it is done
        }
    }

    private static Outcome failed(String why, Optional<Duration> retryAfter, long began) {
        return new Outcome.Failed(why, retryAfter, since(began));
    }

    private static Duration since(long began) {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private static String words(Throwable e) {
        return switch (e) {
            case ConnectException _ -> "it cannot be reached";
            case SSLException tls -> certificate(tls);
            case IOException io -> "the connection failed: " + io.getClass().getSimpleName();
            default -> "it could not be sent: " + e.getClass().getSimpleName();
        };
    }

    /** What is wrong with who it says it is. The exceptions' own words have names of hosts in them. */
    private static String certificate(SSLException e) {
        boolean invalid = false;
        boolean refused = false;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathBuilderException || (cause instanceof CertPathValidatorException why
                    && why.getReason() == BasicReason.INVALID_SIGNATURE)) {
                return "its certificate is not of an authority that is trusted here";
            }
            if (cause instanceof CertificateExpiredException) {
                return "its certificate has expired";
            }
            invalid |= cause instanceof CertPathValidatorException;
            refused |= cause instanceof CertificateException;
        }
        return invalid
                ? "its certificate is not valid"
                : refused ? "its certificate is for another name" : "no safe connection could be made with it";
    }

    private static Optional<Duration> retryAfter(HttpResponse<?> response) {
        return response.headers().firstValue("Retry-After").filter(text -> text.matches("\\d{1,9}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.shutdownNow();
        }
        threads.shutdownNow();
    }

    /** Lets an answer of sane size come to its end, so that the connection can be used again, and breaks off a larger one. */
    private static final class Ignored implements BodySubscriber<Boolean> {
        private final CompletableFuture<Boolean> done = new CompletableFuture<>();
        private Optional<Subscription> subscription = Optional.empty();
        private long seen;

        @Override
        public CompletionStage<Boolean> getBody() {
            return done;
        }

        @Override
        public void onSubscribe(Subscription given) {
            subscription = Optional.of(given);
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            seen += buffers.stream().mapToLong(ByteBuffer::remaining).sum();
            if (seen > LARGEST_ANSWER) {
                subscription.ifPresent(Subscription::cancel);
                done.complete(false);
            }
        }

        @Override
        public void onError(Throwable e) {
            done.complete(false); // the status has come, and that is what counts
        }

        @Override
        public void onComplete() {
            done.complete(true);
        }
    }
}
