package io.entrepot.chaos.server;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.HttpConnection;
import java.io.IOException;

/** What a server may answer to whatever it is asked: no internal error, no trace, and a problem that says what is wrong. */
record Judge(ChaosRun run) {

    void judge(HttpConnection.Answer answer, String asked) throws IOException {
        String text = answer.body().length > 100_000 ? "" : answer.text();
        boolean trace = text.contains("\tat ") || (answer.status() >= 400
                && (text.contains("Exception") || text.contains("java.") || text.contains("etty")));
        run.check(!trace && (answer.status() < 400 || !text.contains("http.internal")),
                () -> "a trace or an internal error: " + answer.status() + " " + text + " for " + shown(asked));
        boolean told = answer.status() < 400 || (answer.header("content-type").startsWith("application/problem+json")
                && (answer.body().length == 0 || !Caller.json(answer).path("code").asText().isEmpty()));
        run.check(told, () -> "no problem is told: " + answer.status() + " " + answer.headers() + " " + text + " for "
                + shown(asked));
    }

    static String shown(String asked) {
        return (asked.length() < 300 ? asked : asked.substring(0, 300) + "…").replaceAll("ek_\\w+", "ek_…");
    }
}
