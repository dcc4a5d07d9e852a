package io.entrepot.chaos.queue;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.FinalItem;
import io.entrepot.chaos.history.History;
import io.entrepot.chaos.history.QueueHistoryChecker;
import io.entrepot.chaos.history.Verdict;
import io.entrepot.chaos.history.Violation;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A data directory after something happened to it: opened, looked through, and compared with what was promised. */
record Site(Path directory) {

    /** The queues that every scenario uses: of two owners, so that there is more than one lane to be fair to. */
    static final List<QueueName> LANES = List.of(QueueName.of("acme", "files"), QueueName.of("acme", "mail"),
            QueueName.of("beta", "files"));

    static final StoreConfig CONFIG = StoreConfig.of(Queues.SCHEMA);

    /** All that can be wrong with the data itself and with the history that led to it. */
    void inspect(History history, ChaosRun run, String after) {
        try (DataDirectory data = DataDirectory.open(directory, CONFIG);
                Queues queues = Queues.open(data, CONFIG, QueueConfig.DEFAULT.withBackground(false))) {
            inspect(data.main(), queues, history, run, after);
        }
    }

    /** The same for what is open already. */
    static void inspect(Store store, Queues queues, History history, ChaosRun run, String after) {
        List<String> problems = store.check().problems();
        run.check(problems.isEmpty(), () -> "damaged after " + after + ": " + problems);
        List<String> contradictions = queues.check();
        run.check(contradictions.isEmpty(), () -> "inconsistent after " + after + ": " + contradictions);
        Verdict verdict = QueueHistoryChecker.check(history.operations(), items(store));
        run.checked(verdict.checks(), verdict.violations().stream().map(Violation::toString)
                .map(text -> "after " + after + ": " + text).toList());
    }

    private static List<FinalItem> items(Store store) {
        return store.read(snapshot -> snapshot.query("SELECT payload, state FROM item",
                row -> new FinalItem(new String(row.getBytes(1), StandardCharsets.UTF_8), row.getInt(2) == 3)));
    }
}
