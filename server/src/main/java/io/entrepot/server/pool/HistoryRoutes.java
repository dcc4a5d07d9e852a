package io.entrepot.server.pool;

import io.entrepot.pool.FileHistory;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.Pool;
import io.entrepot.server.access.Access;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import io.entrepot.server.pool.FileAnswers.Seen;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.util.List;

/** What is known of a file's life, also of one that is gone. */
public final class HistoryRoutes {
    private static final Answer<HistoryEntry> ENTRY = Answer.<HistoryEntry>named("HistoryEntry")
            .with("at", Type.TIME, "When.", HistoryEntry::at)
            .with("what", Type.TEXT, "`written`, `claimed`, `completed`, `failed`, `failed-permanently`, `put-off`,"
                    + " `given-back`, `lease-expired`, `taken-back`, `reset`, `made-ready`, `released`, `deleted`, `moved`,"
                    + " `damaged`, `sound`, `rebuilt`, `found`, `held`; more may come.", HistoryEntry::what)
            .with("epoch", Type.COUNT, "Of the lease it belongs to; 0 if none.", HistoryEntry::epoch)
            .maybe("worker", Type.TEXT, "Who had that lease.", HistoryEntry::worker)
            .maybe("note", Type.TEXT, "An error, a reason, where it came from.", HistoryEntry::note);
    private static final Answer<FileHistory> HISTORY = Answer.<FileHistory>named("FileHistory")
            .with("tenant", Type.TEXT, "Whose it is.", FileHistory::tenant)
            .with("key", Type.TEXT, "Its key.", FileHistory::key)
            .maybe("name", Type.TEXT, "The name it came with.", FileHistory::name)
            .with("size", Type.COUNT, "In bytes.", FileHistory::size)
            .with("created", Type.TIME, "When it came.", FileHistory::created)
            .maybe("file", FileAnswers.FILE.type(), "What it is now; none if it is gone.",
                    it -> it.file().map(file -> new Seen(file, false)))
            .maybe("goneAt", Type.TIME, "When it went.", it -> it.gone().map(FileHistory.Gone::at))
            .maybe("goneWhy", Type.TEXT, "Why it went.", it -> it.gone().map(FileHistory.Gone::why))
            .with("entries", new Type.ListOf(ENTRY.type()), "Oldest first.", FileHistory::entries);
    private static final Answer<List<String>> SENTENCES = Answer.<List<String>>named("Explanation")
            .with("sentences", Type.TEXTS, "For people.", all -> all);

    private final Pool pool;

    public HistoryRoutes(Pool pool) {
        this.pool = pool;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/tenants/{tenant}/files/{key}/history").needs(Access.READ)
                        .as("getHistory", "Files", "What is known of a file's life, also of one that is gone")
                        .gives(200, HISTORY, "Its life.")
                        .does(call -> Reply.ok(HISTORY, pool.history(call.tenant(), call.key()))),
                Route.get("/v1/tenants/{tenant}/files/{key}/explain").needs(Access.READ)
                        .as("explainFile", "Files", "The same in sentences, and why the file is where it"
                                + " is")
                        .gives(200, SENTENCES, "Sentences.")
                        .does(call -> Reply.ok(SENTENCES, pool.explain(call.tenant(), call.key()))));
    }
}
