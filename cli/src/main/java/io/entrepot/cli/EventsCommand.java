package io.entrepot.cli;

import io.entrepot.pool.Pool;
import io.entrepot.store.Event;
import io.entrepot.store.Events;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what has happened, in the order in which it was committed. */
@Command(name = "events", description = {"Print what has happened, oldest first.",
        "Tenants that have a database of their own keep their events there, and are not seen here."})
final class EventsCommand implements Callable<Integer> {
    private static final int PAGE = 1000;
    private static final Duration LOOK = Duration.ofMillis(200);

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Option(names = "--follow", description = "Go on as more happens, until Ctrl-C.")
    boolean follow;

    @Option(names = "--after", paramLabel = "N", defaultValue = "0",
            description = "Only those after this number (default: all that are kept).")
    long after;

    private volatile boolean stopped;

    @Override
    public Integer call() throws InterruptedException {
        try (LastWords _ = new LastWords(() -> stopped = true); Pool pool = on.openExisting()) {
            Events events = pool.events();
            long cursor = after;
            List<Event> some;
            do {
                some = follow ? events.await(cursor, PAGE, LOOK) : events.after(cursor, PAGE);
                some.forEach(this::print);
                cursor = some.isEmpty() ? cursor : some.getLast().seq();
            } while (!stopped && !on.out().checkError() && (follow || !some.isEmpty()));
        }
        return ExitCode.OK;
    }

    /** Each on a line at once, and so not in a table whose widths only the last one would tell. */
    private void print(Event event) {
        on.answer(String.format("%6d  %s  %-12s  %-24s  %s%s", event.seq(), Times.of(event.at()), event.owner(),
                event.type(), event.subject(), event.body().equals("{}") ? "" : "  " + event.body()),
                new JsonObject().with("seq", event.seq()).with("at", event.at()).with("owner", event.owner())
                        .with("type", event.type()).with("subject", event.subject())
                        .with("body", event.body().startsWith("{") ? new JsonText.Raw(event.body()) : event.body()));
    }
}
