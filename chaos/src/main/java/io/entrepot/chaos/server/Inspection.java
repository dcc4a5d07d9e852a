package io.entrepot.chaos.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.FinalItem;
import io.entrepot.chaos.history.History;
import io.entrepot.chaos.history.QueueHistoryChecker;
import io.entrepot.chaos.history.Verdict;
import io.entrepot.lab.HttpConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a server has when all clients are still, compared with everything that was acknowledged: each file is read, byte by byte; the
 * history has to be one of a pool that keeps its promises; and what is counted is what is there.
 */
record Inspection(ChaosRun run, History history, String after) {

    void of(Caller caller) throws IOException {
        List<JsonNode> files = all(caller);
        long bytes = 0;
        List<FinalItem> items = new ArrayList<>();
        for (JsonNode file : files) {
            bytes += file.path("size").asLong();
            items.add(new FinalItem(file.path("name").asText("nameless"),
                    file.path("status").asText().equals("completed")));
            read(caller, file);
        }
        Verdict verdict = QueueHistoryChecker.check(history.operations(), items);
        run.checked(verdict.checks(),
                verdict.violations().stream().map(violation -> "after " + after + ": " + violation).toList());
        JsonNode usage = Caller.json(caller.get(Client.TENANT.substring(0, Client.TENANT.length() - 1))).path("usage");
        long total = bytes;
        run.check(usage.path("files").asLong() == files.size() && usage.path("bytes").asLong() == total,
                () -> "after " + after + ": " + usage + " is counted, and there are " + files.size() + " files with "
                        + total + " bytes");
        HttpConnection.Answer recount = caller.post(Client.TENANT + "recount", "");
        run.check(recount.status() == 200 && Caller.json(recount).path("corrections").isEmpty(),
                () -> "after " + after + ": counting again says " + recount.text());
    }

    private static List<JsonNode> all(Caller caller) throws IOException {
        List<JsonNode> files = new ArrayList<>();
        Optional<String> cursor = Optional.of("");
        while (cursor.isPresent()) {
            HttpConnection.Answer answer = caller.get(Client.TENANT + "files?limit=1000"
                    + (cursor.get().isEmpty() ? "" : "&cursor=" + cursor.get()));
            if (answer.status() != 200) {
                throw new IOException("files cannot be listed: " + answer.text());
            }
            JsonNode page = Caller.json(answer);
            page.path("files").forEach(files::add);
            cursor = Optional.ofNullable(page.path("next").asText(null));
        }
        return files;
    }

    private void read(Caller caller, JsonNode file) throws IOException {
        Optional<Parcel> parcel = Parcel.parse(file.path("name").asText());
        run.check(parcel.isPresent(), () -> "after " + after + ": nobody stored " + file);
        HttpConnection.Answer got = caller.get(Client.TENANT + "files/" + file.path("key").asText()
                + "/content?verify=true");
        run.check(got.status() == 200 && Arrays.equals(got.body(), parcel.map(Parcel::content).orElse(new byte[0])),
                () -> "after " + after + ": " + got.status() + " and " + got.body().length
                        + " bytes, which are not those of " + file);
    }
}
