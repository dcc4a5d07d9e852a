package io.entrepot.chaos.server;

import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.lab.HttpConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends files in pieces by the tus protocol, and after every break asks how far it is. What a piece was answered with must not be less
 * later, and an upload that was begun must not be unknown. Its own thread.
 */
final class TusClient extends Customer {
    private static final String UPLOADS = Client.TENANT + "uploads";
    private static final String VERSION = "Tus-Resumable: 1.0.0";
    private static final List<Integer> SIZES = List.of(1, 5_000, 60_000, 200_000, 400_000);
    private static final int PIECE = 40_000;
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final byte[] NOTHING = {};

    private final Caller caller;

    TusClient(Life life, Caller caller) {
        super(life);
        this.caller = caller;
    }

    @Override
    void live() throws IOException {
        try (caller) {
            for (int number = 0; goesOn(); number++) {
                send(parcel(number, SIZES));
            }
        }
    }

    private void send(Parcel parcel) {
        long number = recorder.began(name, new Call.Put(parcel.word(), Optional.empty()));
        Optional<String> key = begin(parcel).flatMap(place -> go(place, parcel));
        recorder.ended(number, key.<Answer>map(Answer.Stored::new).orElse(new Answer.Unknown("not-sent")));
    }

    /** Where it goes on. One whose answer is lost has no bytes, and never becomes a file. */
    private Optional<String> begin(Parcel parcel) {
        String metadata = "filename " + Base64.getEncoder().encodeToString(parcel.word().getBytes(
                StandardCharsets.UTF_8));
        while (goesOn()) {
            Optional<HttpConnection.Answer> got = ask("POST", UPLOADS, NOTHING, VERSION,
                    "Upload-Length: " + parcel.size(), "Upload-Metadata: " + metadata);
            if (got.isPresent() && got.get().status() == 201) {
                return Optional.of(got.get().header("Location"));
            }
            got.ifPresent(answer -> bad(name + " could not begin an upload: " + answer.status() + " "
                    + answer.text()));
        }
        return Optional.empty();
    }

    /** The key of the file. */
    private Optional<String> go(String place, Parcel parcel) {
        byte[] content = parcel.content();
        long acknowledged = 0;
        boolean sure = true;
        while (goesOn()) {
            Optional<HttpConnection.Answer> got = sure
                    ? ask("PATCH", place, piece(content, acknowledged), VERSION, "Upload-Offset: " + acknowledged,
                            "Content-Type: application/offset+octet-stream")
                    : ask("HEAD", place, NOTHING, VERSION);
            if (got.isEmpty()) {
                sure = false;
                continue;
            }
            HttpConnection.Answer answer = got.get();
            if (answer.status() >= 300) {
                bad(name + " cannot go on with " + parcel + ", of which " + acknowledged + " bytes are there: "
                        + answer.status() + " " + answer.text());
                return Optional.empty();
            }
            long offset = Long.parseLong(answer.header("Upload-Offset"));
            if (offset < acknowledged) {
                bad(name + " lost a piece of " + parcel + ": " + acknowledged + " bytes were there, and now "
                        + offset);
                return Optional.empty();
            }
            acknowledged = offset;
            sure = true;
            if (acknowledged == content.length) {
                Optional<String> key = Optional.of(answer.header("Entrepot-File-Key")).filter(text -> !text.isEmpty());
                if (key.isEmpty()) {
                    bad(name + " has sent all of " + parcel + " and was told of no file");
                }
                return key;
            }
        }
        return Optional.empty();
    }

    private byte[] piece(byte[] content, long from) {
        int start = Math.toIntExact(from);
        return Arrays.copyOfRange(content, start, Math.min(content.length, start + 1 + random.nextInt(PIECE)));
    }

    private Optional<HttpConnection.Answer> ask(String method, String path, byte[] body, String... headers) {
        try {
            HttpConnection.Answer got = caller.ask(method, path, body, headers);
            answered();
            return Optional.of(got);
        } catch (IOException e) {
            LockSupport.parkNanos(PAUSE.toNanos());
            return Optional.empty();
        }
    }
}
