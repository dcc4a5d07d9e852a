package io.entrepot.chaos.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.HttpConnection;
import io.entrepot.lab.LabDirectory;
import io.entrepot.lab.Nursery;
import java.io.EOFException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Clients that are rude to a live server. It answers each with what is wrong, or closes; it goes on serving; and when they have gone it
 * holds nothing of theirs: no file, no byte that is charged, no handle, no thread. What polite clients stored is there.
 */
final class RudeRounds {
    /** What they may do anything to. */
    static final String FUZZ = "fuzz";
    /** Where uploads go that break. */
    static final String CUT = "cut";
    private static final String SAFE = "safe";
    private static final Set<String> TENANTS = Set.of("default", FUZZ, CUT, SAFE);
    /** The largest upload. */
    static final int MOST = 10 << 20;
    private static final Map<String, String> SETTINGS = Map.of("server.idle-timeout", "1s", "server.head-timeout", "2s",
            "server.max-wait", "100ms", "server.failures-per-minute", "0", "server.max-upload", MOST + "B");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** So long what clients have left may take to be closed. */
    private static final Duration SETTLE = Duration.ofSeconds(5);
    private static final int LARGE = 8 << 20;
    /** Pools of threads and connections, and directories that are kept open, breathe a little. */
    static final int SLACK = 8;
    /** Pools of threads are not all full after the first round, and one that is idle keeps its threads for a minute. */
    static final int THREADS_SLACK = 16;

    private final ChaosRun run;
    private final Map<String, Parcel> safe = new LinkedHashMap<>();

    RudeRounds(ChaosRun run) {
        this.run = run;
    }

    void run() throws Exception {
        run.progress().say("rude clients");
        int rounds = run.shortForm() ? 1 : 10;
        try (Nursery nursery = Host.nursery(0);
                LabDirectory directory = LabDirectory.create(DiskOptions.memory());
                Host host = Host.of(nursery, directory.path().resolve("data"), SETTINGS, Bug.NONE);
                Caller caller = new Caller(host)) {
            host.begin();
            host.awaitServing();
            store(caller);
            round(host, caller, run.random(50), directory.path());
            long handles = settled(host, Long.MAX_VALUE, Long.MAX_VALUE)[0];
            long threads = host.threads();
            for (int round = 1; round <= rounds; round++) {
                round(host, caller, run.random(50 + round), directory.path());
            }
            long[] after = settled(host, handles, threads);
            run.check(after[0] <= handles + SLACK, () -> "handles leak: " + handles + ", and " + after[0] + " after "
                    + rounds + " more rounds");
            run.check(after[1] <= threads + THREADS_SLACK,
                    () -> "threads leak: " + threads + ", and " + after[1] + " after "
                            + rounds + " more rounds");
            run.note(after[0] + " handles and " + after[1] + " threads after rude clients, " + handles + " and "
                    + threads + " before most of them");
            for (Map.Entry<String, Parcel> one : safe.entrySet()) {
                HttpConnection.Answer got = caller.get("/v1/tenants/" + SAFE + "/files/" + one.getKey() + "/content");
                run.check(Arrays.equals(got.body(), one.getValue().content()), () -> one + " was lost: "
                        + got.status());
            }
        }
    }

    private void store(Caller caller) throws IOException {
        for (String tenant : List.of(SAFE, CUT)) {
            caller.post("/v1/tenants", "{\"id\":\"" + tenant + "\"}");
        }
        for (int i = 0; i < 20; i++) {
            Parcel parcel = new Parcel(SAFE, i, i == 0 ? LARGE : 3_000 * i);
            HttpConnection.Answer stored = caller.ask("POST", "/v1/tenants/" + SAFE + "/files", parcel.content());
            safe.put(Caller.json(stored).path("files").path(0).path("key").asText(), parcel);
        }
    }

    private void round(Host host, Caller caller, Random random, Path directory) throws Exception {
        Judge judge = new Judge(run);
        RawRequests raw = new RawRequests(host, judge, random);
        int asked = new DescriptionFuzz(host, judge, random, () -> prepared(caller, directory))
                .run(run.shortForm() ? 6 : 40);
        run.progress().tick(asked + " odd requests");
        tidy(caller);
        Path volume = directory.resolve("data/files");
        long begun = files(volume.resolve(".entrepot/incoming"));
        raw.malformed();
        raw.wrongBodies();
        raw.tooLarge();
        raw.dribble();
        nothingOfThem(host, caller);
        run.check(files(volume.resolve(CUT)) == 0 && files(volume.resolve(".entrepot/incoming")) <= begun,
                () -> "bytes of what was cut off stay on the volume");
        raw.longerThanSaid();
        raw.abortedDownloads("/v1/tenants/" + SAFE + "/files/" + safe.keySet().iterator().next() + "/content", 40);
        raw.slowLoris();
        run.check(caller.get("/health/ready").status() == 200, () -> "the server is not ready after rude clients");
        caller.ask("DELETE", "/v1/tenants/" + CUT + "?withFiles=true", new byte[0]);
        caller.post("/v1/tenants", "{\"id\":\"" + CUT + "\"}");
        run.round();
    }

    /** Once more if this machine stood still for longer than the server lets a connection be idle: then it is closed. */
    private static Map<String, String> prepared(Caller caller, Path directory) throws IOException {
        try {
            return prepare(caller, directory);
        } catch (EOFException e) {
            return prepare(caller, directory);
        }
    }

    /** Makes what odd requests may be about, as far as they have not left it, and says how it is called. */
    private static Map<String, String> prepare(Caller caller, Path directory) throws IOException {
        String files = "/v1/tenants/" + FUZZ + "/";
        caller.post("/v1/tenants", "{\"id\":\"" + FUZZ + "\"}");
        caller.post("/v1/watchers", "{\"id\":\"" + FUZZ + "\",\"path\":\"" + directory.resolve("watched") + "\"}");
        JsonNode file = Caller.json(caller.ask("POST", files + "files?name=a", new byte[100])).path("files").path(0);
        String upload = caller.ask("POST", files + "uploads", new byte[0], "Tus-Resumable: 1.0.0", "Upload-Length: 99")
                .header("Location");
        JsonNode key = Caller.json(caller.post("/v1/keys", "{\"name\":\"fuzz\",\"scopes\":[\"tenant:fuzz:read\"]}"));
        JsonNode webhooks = Caller.json(caller.get("/v1/webhooks")).path("webhooks");
        JsonNode webhook = webhooks.isEmpty()
                ? Caller.json(caller.post("/v1/webhooks", "{\"name\":\"fuzz\",\"url\":\"http://nowhere.invalid/\"}"))
                : webhooks.path(0);
        return Map.of("tenant", FUZZ, "watcher", FUZZ, "job", "forget-watchers", "letter", "1", "key",
                file.path("key").asText(FUZZ), "upload", upload.substring(upload.lastIndexOf('/') + 1), "id",
                key.path("id").asText(FUZZ), "webhook", webhook.path("id").asText(FUZZ));
    }

    /** Takes away what was made by accident, so that the next round begins with the same. */
    private void tidy(Caller caller) throws IOException {
        for (JsonNode tenant : Caller.json(caller.get("/v1/tenants")).path("tenants")) {
            if (!TENANTS.contains(tenant.path("id").asText())) {
                caller.ask("DELETE", "/v1/tenants/" + tenant.path("id").asText() + "?withFiles=true", new byte[0]);
            }
        }
        for (JsonNode watcher : Caller.json(caller.get("/v1/watchers")).path("watchers")) {
            caller.ask("DELETE", "/v1/watchers/" + watcher.path("id").asText(), new byte[0]);
        }
        for (JsonNode webhook : Caller.json(caller.get("/v1/webhooks")).path("webhooks")) {
            caller.ask("DELETE", "/v1/webhooks/" + webhook.path("id").asText(), new byte[0]);
        }
        caller.ask("DELETE", "/v1/tenants/" + FUZZ + "?withFiles=true", new byte[0]);
        for (JsonNode rule : Caller.json(caller.get("/v1/quotas")).path("rules")) {
            caller.ask("DELETE", "/v1/quotas?pattern=" + URLEncoder.encode(rule.path("pattern").asText(),
                    StandardCharsets.UTF_8), new byte[0]);
        }
    }

    private void nothingOfThem(Host host, Caller caller) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        int busy = host.busy();
        while (busy > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(20_000_000);
            busy = host.busy();
        }
        int left = busy;
        run.check(left == 0, () -> left + " requests of clients that have gone are under way");
        JsonNode files = Caller.json(caller.get("/v1/tenants/" + CUT + "/files")).path("files");
        JsonNode usage = Caller.json(caller.get("/v1/tenants/" + CUT)).path("usage");
        run.check(files.isEmpty() && usage.path("files").asLong() == 0 && usage.path("bytes").asLong() == 0,
                () -> "what was cut off was stored or charged: " + files + " " + usage);
    }

    private static long files(Path under) throws IOException {
        if (!Files.exists(under)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(under)) {
            return all.filter(Files::isRegularFile).count();
        }
    }

    /** Handles and threads, when they are few enough or have had their time. */
    static long[] settled(Host host, long handles, long threads) throws IOException {
        long deadline = System.nanoTime() + SETTLE.toNanos();
        if (handles == Long.MAX_VALUE) {
            LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
        }
        long[] now = {host.handles(), host.threads()};
        while ((now[0] > handles || now[1] > threads) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(100_000_000);
            now = new long[]{host.handles(), host.threads()};
        }
        return now;
    }
}
