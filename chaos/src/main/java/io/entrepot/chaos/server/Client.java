package io.entrepot.chaos.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.Call.Step.Kind;
import io.entrepot.chaos.history.Ending;
import io.entrepot.chaos.history.Grant;
import io.entrepot.lab.HttpConnection;
import io.entrepot.pool.FileLease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * One client's life: it stores files and works on files. Who gets no answer asks again, as the guide says: a file is sent again with its
 * idempotency key, an ending again with its lease, a claim again with its key, or it is left to its term. Each attempt is recorded by itself, but those of a claim with a
 * key as one: it may have been made by any of them. What must never be answered is told at once. Its own thread, and others only ask how many answers it got.
 */
final class Client extends Customer {
    static final String TENANT = "/v1/tenants/default/";
    /** So short that some who are late come too late. */
    static final Duration TERM = Duration.ofMillis(1500);
    private static final List<Integer> SIZES = List.of(0, 10, 700, 4096, 4096, 4096, 30_000, 150_000);
    private static final Duration PAUSE = Duration.ofMillis(20);
    /** What the losers of races get, and nobody else. */
    private static final Set<String> LOST = Set.of("pool.lease-lost", "pool.file-not-found");
    /** What a claim gets whose leases have run out before it was made again. */
    private static final Set<String> SPENT = Set.of("pool.idempotency-conflict");
    private static final String CLAIMS = "claims";

    private final Caller caller;

    Client(Life life, Caller caller) {
        super(life);
        this.caller = caller;
    }

    @Override
    void live() throws IOException {
        try (caller) {
            for (int number = 0; goesOn(); number++) {
                if (number % 3 < 2) {
                    store(parcel(number, SIZES));
                }
                work();
            }
        }
    }

    /** What was made of an answer; empty hands say that it is to be asked again. */
    private interface Reading {
        Answer read(HttpConnection.Answer answer) throws IOException;
    }

    private Answer attempt(Call call, String path, byte[] body, Reading reading, String... headers) {
        long number = recorder.began(name, call);
        Answer answer = ask(path, body, reading, headers);
        recorder.ended(number, answer);
        return answer;
    }

    private Answer ask(String path, byte[] body, Reading reading, String... headers) {
        try {
            HttpConnection.Answer got = caller.ask("POST", TENANT + path, body, headers);
            answered();
            return got.status() < 300 ? reading.read(got) : refused(got, path.equals(CLAIMS) ? SPENT : LOST);
        } catch (IOException e) {
            LockSupport.parkNanos(PAUSE.toNanos());
            return new Answer.Unknown(e.getClass().getSimpleName());
        }
    }

    private Answer refused(HttpConnection.Answer got, Set<String> expected) throws IOException {
        String code = Caller.json(got).path("code").asText();
        if (!expected.contains(code)) {
            bad(name + " got " + got.status() + " " + got.text());
        }
        return Caller.json(got).path("advice").asText().equals("unknown")
                ? new Answer.Unknown(code)
                : new Answer.Refused(code);
    }

    private void store(Parcel parcel) {
        String[] headers = parcel.key().map(key -> new String[]{"Idempotency-Key: " + key}).orElse(new String[0]);
        Answer answer;
        do {
            answer = attempt(new Call.Put(parcel.word(), parcel.key()), "files?name=" + parcel.word(),
                    parcel.content(),
                    got -> new Answer.Stored(Caller.json(got).path("files").path(0).path("key").asText()), headers);
        } while (answer instanceof Answer.Unknown && parcel.key().isPresent() && goesOn());
    }

    private void work() {
        List<Work> claimed = random.nextBoolean() ? claim() : claimWithKey();
        for (Work work : claimed) {
            workOn(work);
        }
    }

    private List<Work> claim() {
        List<Work> claimed = new ArrayList<>();
        attempt(new Call.Claim(), CLAIMS, wish(), into(claimed), "Content-Type: application/json");
        return claimed;
    }

    private List<Work> claimWithKey() {
        List<Work> claimed = new ArrayList<>();
        byte[] wish = wish();
        String key = "Idempotency-Key: " + name + "-" + random.nextLong();
        long number = recorder.began(name, new Call.Claim());
        Answer answer;
        do {
            answer = ask(CLAIMS, wish, into(claimed), "Content-Type: application/json", key);
        } while (answer instanceof Answer.Unknown && goesOn());
        // One that is over has got something, and nobody knows what.
        recorder.ended(number, answer instanceof Answer.Refused(String code) ? new Answer.Unknown(code) : answer);
        return claimed;
    }

    private byte[] wish() {
        String body = "{\"max\":" + (1 + random.nextInt(3)) + ",\"wait\":\"50ms\",\"lease\":\"" + TERM.toMillis()
                + "ms\",\"worker\":\"" + name + "\"}";
        return bytes(body);
    }

    private static Reading into(List<Work> claimed) {
        return got -> {
            Caller.json(got).path("files").forEach(file -> claimed.add(new Work(file)));
            return new Answer.Granted(claimed.stream().map(Work::grant).toList());
        };
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    /** Something that was handed out. */
    private record Work(String name, String key, String lease) {
        Work(JsonNode claimed) {
            this(claimed.path("file").path("name").asText("nameless"), claimed.path("file").path("key").asText(),
                    claimed.path("lease").asText());
        }

        Grant grant() {
            FileLease parsed = FileLease.parse(lease);
            return new Grant(name, parsed.fence().epoch().value(), Long.toHexString(parsed.fence().nonce()));
        }
    }

    private void workOn(Work work) {
        int mood = random.nextInt(100);
        if (mood < 2) {
            return; // never comes back
        }
        if (mood < 4) {
            LockSupport.parkNanos(TERM.plusMillis(100).toNanos()); // comes back too late, or nearly
        }
        if (mood < 30) {
            read(work);
        }
        if (mood < 10) {
            step(Kind.RENEW, "renew", work, "");
        }
        if (mood < 80) {
            step(Kind.FINISH, "complete", work, mood < 12 ? ",\"keep\":true" : "");
        } else if (mood < 90) {
            step(Kind.FAIL, "fail", work, ",\"error\":\"chaos\"");
        } else {
            step(Kind.RELEASE, "release", work, "");
        }
    }

    private void step(Kind kind, String path, Work work, String more) {
        byte[] body = bytes("{\"leases\":[\"" + work.lease + "\"]" + more + "}");
        Answer answer;
        do {
            answer = attempt(new Call.Step(kind, work.grant()), "leases/" + path, body,
                    got -> result(Caller.json(got).path("results").path(0)), "Content-Type: application/json");
        } while (answer instanceof Answer.Unknown && goesOn());
    }

    private Answer result(JsonNode result) {
        String word = result.path("result").asText();
        boolean repeated = result.path("repeated").asBoolean();
        return switch (word) {
            case "renewed" -> new Answer.Renewed();
            case "completed" -> new Answer.Ended(Ending.FINISHED, repeated);
            case "kept" -> new Answer.Ended(Ending.KEPT, repeated);
            case "retrying" -> new Answer.Ended(Ending.RETRYING, repeated);
            case "permanently-failed" -> new Answer.Ended(Ending.DEAD, repeated);
            case "released", "put-off" -> new Answer.Ended(Ending.RELEASED, repeated);
            default -> {
                String code = result.path("problem").path("code").asText();
                if (!LOST.contains(code)) {
                    bad(name + " was answered with " + result);
                }
                yield new Answer.Refused(code);
            }
        };
    }

    /** Any file may be gone by now; if it is there, it is whole. */
    private void read(Work work) {
        try {
            HttpConnection.Answer got = caller.get(TENANT + "files/" + work.key + "/content?verify=true");
            answered();
            if (got.status() == 200) {
                byte[] wanted = Parcel.parse(work.name).map(Parcel::content).orElse(new byte[0]);
                if (!Arrays.equals(got.body(), wanted)) {
                    bad(name + " read " + got.body().length + " bytes that are not those of " + work.name);
                }
            } else if (got.status() != 404) {
                bad(name + " could not read " + work.name + ": " + got.status() + " " + got.text());
            }
        } catch (IOException e) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
