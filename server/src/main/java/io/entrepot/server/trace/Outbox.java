package io.entrepot.server.trace;

import io.entrepot.config.Secret;
import io.entrepot.server.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spans on their way to whoever gathers them, by OTLP over HTTP, as JSON. They wait in a queue of bounded length, and a thread of
 * its own sends them, many at once. Whatever becomes of them, no request waits: what finds no room, or is not taken after a few
 * attempts, is lost, and that is said once.
 *
 * <p>Safe for use by many threads.
 */
final class Outbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final int MOST_WAITING = 2048;
    private static final int MOST_SENT = 512;
    private static final int ATTEMPTS = 3;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    /** How soon a stop is noticed. */
    private static final Duration LOOK = Duration.ofMillis(200);
    /** A stop does not wait longer for the last ones to be taken. */
    private static final Duration LAST = Duration.ofSeconds(2);
    private static final List<Integer> PASSING = List.of(429, 502, 503, 504);

    private final URI endpoint;
    private final TracingConfig config;
    private final HttpClient client;
    private final Map<String, Object> resource;
    private final BlockingQueue<FinishedSpan> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final Thread thread;
    private volatile boolean closing;
    private boolean failing;

    Outbox(TracingConfig config) {
        this.config = config;
        this.endpoint = config.endpoint().orElseThrow();
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(config.timeout())
                .build();
        Map<String, String> about = new LinkedHashMap<>();
        config.attributes().forEach(one -> about.put(TracingConfig.name(one), TracingConfig.value(one)));
        about.put("service.name", config.serviceName());
        this.resource = Map.of("attributes", FinishedSpan.attributes(about));
        this.thread = Thread.ofPlatform().daemon().name("traces").unstarted(this::run);
        thread.start();
    }

    void add(FinishedSpan span) {
        if (!waiting.offer(span)) {
            lost.incrementAndGet();
        }
    }

    private void run() {
        try {
            while (!closing) {
                FinishedSpan first = waiting.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                if (first != null) {
                    gatherAndSend(first);
                }
            }
            for (FinishedSpan next = waiting.poll(); next != null; next = waiting.poll()) {
                send(next);
            }
        } catch (InterruptedException e) {
            // The server closes, and nobody takes them.
        } catch (RuntimeException e) {
            LOG.error("nothing is traced any more: {}", e.toString(), e);
        }
    }

    private void gatherAndSend(FinishedSpan first) throws InterruptedException {
        long end = System.nanoTime() + config.sendEvery().toNanos();
        while (!closing && waiting.size() < MOST_SENT && System.nanoTime() < end) {
            Thread.sleep(Math.clamp((end - System.nanoTime()) / 1_000_000, 1, 100));
        }
        send(first);
    }

    private void send(FinishedSpan first) throws InterruptedException {
        List<FinishedSpan> batch = new ArrayList<>(List.of(first));
        waiting.drainTo(batch, MOST_SENT - 1);
        String why = deliver(batch);
        if (why.isEmpty()) {
            if (failing) {
                LOG.info("traces are taken by {} again; {} spans were lost", endpoint, lost.getAndSet(0));
            }
            failing = false;
            return;
        }
        lost.addAndGet(batch.size());
        if (!failing) {
            LOG.warn("traces are not taken by {}, and are lost until they are: {}", endpoint, why);
        }
        failing = true;
    }

    /** Empty if they were taken; else why they were not. */
    private String deliver(List<FinishedSpan> batch) throws InterruptedException {
        HttpRequest request = request(batch);
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1;; attempt++) {
            String why;
            boolean passing;
            try {
                int status = client.send(request, BodyHandlers.discarding()).statusCode();
                if (status / 100 == 2) {
                    return "";
                }
                why = "it answered " + status;
                passing = PASSING.contains(status);
            } catch (IOException e) {
                why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
                passing = true;
            }
            // One that has not taken the last ones is asked once: it has had its chance.
            if (!passing || attempt == ATTEMPTS || failing || closing) {
                return why;
            }
            Thread.sleep(pause);
            pause = pause.multipliedBy(2);
        }
    }

    private HttpRequest request(List<FinishedSpan> batch) {
        byte[] body = Json.write(Map.of("resourceSpans", List.of(Map.of("resource", resource, "scopeSpans",
                List.of(Map.of("scope", Map.of("name", "io.entrepot.server"), "spans",
                        batch.stream().map(FinishedSpan::json).toList()))))));
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint).timeout(config.timeout())
                .header("Content-Type", "application/json").header("User-Agent", "Entrepot")
                .POST(BodyPublishers.ofByteArray(body));
        config.headers().stream().map(Secret::text).forEach(pair -> request.header(TracingConfig.name(pair),
                TracingConfig.value(pair)));
        return request.build();
    }

    @Override
    public void close() {
        closing = true;
        try {
            if (!thread.join(LAST)) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
    }
}
