package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what has happened, in the order in which it was committed. */
@Command(name = "events", description = {"Print what has happened, oldest first.",
        "Tenants that have a database of their own keep their events there, and are not seen here; 'entrepot tail' tells of all."})
final class EventsCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 20;
    private static final String MAIN = "main";
    /** Whose those are that are no tenant's. */
    private static final String SYSTEM = "_system";

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Option(names = "--follow", description = "Go on as more happens, until Ctrl-C.")
    boolean follow;

    @Option(names = "--after", paramLabel = "N", defaultValue = "0",
            description = "Only those after this number (default: all that are kept).")
    long after;

    private final CountDownLatch stop = new CountDownLatch(1);

    @Override
    public Integer call() throws InterruptedException {
        if (after < 0) {
            throw new Failure("usage", "events are numbered from 1: " + after, ExitCode.USAGE);
        }
        try (LastWords _ = new LastWords(stop::countDown); PoolAccess access = on.reachExisting()) {
            EventCursor now = now(access.pool());
            Map<String, Long> positions = new HashMap<>(now.positions());
            positions.put(MAIN, after);
            try (Listening listening = access.pool().listen(EventFilter.all(), EventCursor.of(positions),
                    this::print)) {
                long end = now.positions().getOrDefault(MAIN, 0L);
                while (!on.out().checkError() && (follow || reached(listening) < end)
                        && !stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    // until one of them is so
                }
            }
        }
        return ExitCode.OK;
    }

    /** The end of all there is. */
    private static EventCursor now(FilePool pool) {
        try (Listening listening = pool.listen(EventFilter.all(), _ -> {})) {
            return listening.cursor();
        }
    }

    /** What is forgotten is not told, and moves nothing. */
    private long reached(Listening listening) {
        return Math.max(listening.cursor().positions().getOrDefault(MAIN, 0L), after + listening.missed());
    }

    /** Each on a line at once, and so not in a table whose widths only the last one would tell. */
    private void print(PoolEvent event) {
        if (!event.store().equals(MAIN)) {
            return;
        }
        Map<String, Object> body = new TreeMap<>(event.body());
        String owner = event.tenant().map(TenantId::name).orElse(SYSTEM);
        on.answer(String.format("%6d  %s  %-12s  %-24s  %s%s", event.number(), Times.of(event.at()), owner,
                event.type(), event.subject(), body.isEmpty() ? "" : "  " + JsonText.of(body)),
                new JsonObject().with("seq", event.number()).with("at", event.at()).with("owner", owner)
                        .with("type", event.type()).with("subject", event.subject()).with("body", body));
    }
}
