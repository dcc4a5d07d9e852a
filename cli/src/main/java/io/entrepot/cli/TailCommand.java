package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what happens, as it happens. */
@Command(name = "tail", description = {"Follow what happens, until Ctrl-C.",
        "At the end it says how far it came: --after goes on from there, and leaves nothing out. A connection to a server that"
                + " breaks is made again."})
final class TailCommand implements Callable<Integer> {
    private static final Duration CALL = Duration.ofSeconds(20);
    private static final long LOOK_MILLIS = 200;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Option(names = {"-t", "--tenant"}, paramLabel = "TENANT", description = "Only of this tenant; may be repeated.")
    List<String> tenants = List.of();

    @Option(names = "--type", paramLabel = "TYPE",
            description = "Only such events, as file.written or 'file.*'; may be repeated.")
    List<String> types = List.of();

    @Option(names = "--after", paramLabel = "CURSOR",
            description = "What came after this, as main:17; --after= is all that is kept (default: from now on).")
    @Nullable
    String after;

    @Option(names = "--max", paramLabel = "N", description = "End after so many.")
    long max = Long.MAX_VALUE;

    @Option(names = "--for", paramLabel = "DURATION", description = "End after so long, as 30s, 5m.")
    @Nullable
    String howLong;

    private final CountDownLatch stop = new CountDownLatch(1);
    /** The last of each store. Guarded by this. */
    private final Map<String, Long> printed = new HashMap<>();
    /** Changed under the lock of this. */
    private volatile long told;

    @Override
    public Integer call() throws InterruptedException {
        EventFilter filter = new EventFilter(tenants.stream().map(TenantId::new).collect(Collectors.toSet()),
                Set.copyOf(types));
        long end = howLong == null ? Long.MAX_VALUE : System.nanoTime() + Durations.parse(howLong).toNanos();
        try (LastWords _ = new LastWords(stop::countDown); PoolAccess at = on.reachForLong(CALL)) {
            Listening listening = listen(at.pool(), filter);
            EventCursor began = after == null ? listening.cursor() : EventCursor.parse(after);
            try (listening) {
                while (!stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS) && !on.out().checkError()
                        && (howLong == null || end - System.nanoTime() > 0)) {
                    // until one of them is so
                }
            }
            if (listening.missed() > 0) {
                on.say(listening.missed() + " events were forgotten before they could be told");
            }
            on.say("go on with --after=" + (told < max ? listening.cursor() : reached(began)));
        }
        return ExitCode.OK;
    }

    /** It may have been told more than it has printed. */
    private synchronized EventCursor reached(EventCursor began) {
        Map<String, Long> positions = new HashMap<>(began.positions());
        positions.putAll(printed);
        return EventCursor.of(positions);
    }

    private Listening listen(FilePool pool, EventFilter filter) {
        return after == null
                ? pool.listen(filter, this::print)
                : pool.listen(filter, EventCursor.parse(after), this::print);
    }

    private synchronized void print(PoolEvent event) {
        if (told >= max) {
            return;
        }
        on.answer(String.format("%s  %-12s  %-24s  %s%s", Times.of(event.at()),
                event.tenant().map(TenantId::name).orElse("-"), event.type(), event.subject(),
                event.body().isEmpty() ? "" : "  " + JsonText.of(event.body())),
                new JsonObject().with("at", event.at()).with("tenant", event.tenant()).with("type", event.type())
                        .with("subject", event.subject()).with("body", event.body()).with("store", event.store())
                        .with("number", event.number()));
        on.out().flush();
        printed.put(event.store(), event.number());
        told = told + 1;
        if (told >= max) {
            stop.countDown();
        }
    }
}
