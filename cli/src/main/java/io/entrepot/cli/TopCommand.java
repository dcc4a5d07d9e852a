package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.cli.access.TenantAccess;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantUsage;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.EventType;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the queues and what goes in and out. */
@Command(name = "top", description = {"Watch each tenant's queue and throughput, until Ctrl-C.",
        "At a terminal it is one picture that is drawn again; else a line for each tenant and time. A server that is away is"
                + " waited for."})
final class TopCommand implements Callable<Integer> {
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Duration SHORTEST = Duration.ofMillis(100);
    /** To the upper left corner; and what is below the end of the picture goes. */
    private static final String HOME = "\u001b[H";
    private static final String CLEAR = "\u001b[2J";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Option(names = "--every", paramLabel = "DURATION", defaultValue = "2s",
            description = "How often (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    String every;

    @Option(names = "--once", description = "Look once, for as long as --every, and end.")
    boolean once;

    @Option(names = "--for", paramLabel = "DURATION", description = "End after so long, as 30s, 5m.")
    @Nullable
    String howLong;

    private final CountDownLatch stop = new CountDownLatch(1);

    /** What has happened since somebody looked. */
    private record Flow(LongAdder in, LongAdder done, LongAdder failed) {
        Flow() {
            this(new LongAdder(), new LongAdder(), new LongAdder());
        }
    }

    private final Map<TenantId, Flow> flows = new ConcurrentHashMap<>();

    @Override
    public Integer call() throws InterruptedException {
        Duration interval = Durations.parse(every);
        if (interval.compareTo(SHORTEST) < 0) {
            throw new Failure("usage", "look every 100ms at most, not every " + every, ExitCode.USAGE);
        }
        long end = howLong == null ? 0 : System.nanoTime() + Durations.parse(howLong).toNanos();
        try (LastWords _ = new LastWords(stop::countDown);
                PoolAccess at = on.reachForLong(CALL);
                Listening _ = at.pool().listen(EventFilter.all().of(EventType.FILE_WRITTEN, EventType.FILE_COMPLETED,
                        EventType.FILE_FAILED, EventType.FILE_FAILED_PERMANENTLY), this::count)) {
            boolean first = true;
            boolean away = false;
            long looked = System.nanoTime();
            while (!stop.await(interval.toMillis(), TimeUnit.MILLISECONDS) && !on.out().checkError()) {
                long now = System.nanoTime();
                try {
                    show(at.tenants(), (now - looked) / 1e9, first);
                    looked = now;
                    first = false;
                    away = false;
                } catch (PoolUnavailableException e) {
                    if (once || !e.code().endsWith(".unreachable")) {
                        throw e;
                    }
                    if (!away) {
                        on.say("waiting for the server: " + Complaint.text(e));
                    }
                    away = true;
                }
                if (once || (howLong != null && end - now <= 0)) {
                    break;
                }
            }
        }
        return ExitCode.OK;
    }

    private void count(PoolEvent event) {
        if (event.tenant().isEmpty()) {
            return;
        }
        Flow flow = flows.computeIfAbsent(event.tenant().get(), _ -> new Flow());
        if (event.type().equals(EventType.FILE_WRITTEN.code())) {
            flow.in.increment();
        } else if (event.type().equals(EventType.FILE_COMPLETED.code())) {
            flow.done.increment();
        } else {
            flow.failed.increment();
        }
    }

    private void show(TenantAccess tenants, double seconds, boolean first) {
        List<TenantId> ids = tenants.list().stream().map(tenant -> tenant.id()).toList();
        Columns table = new Columns("TENANT", "PENDING", "DELAYED", "PROCESSING", "FAILED", "BYTES", "IN/S", "DONE/S",
                "FAILED/S").right(1, 2, 3, 4, 5, 6, 7, 8);
        for (TenantId id : ids) {
            TenantUsage usage = tenants.usage(id);
            Flow flow = flows.computeIfAbsent(id, _ -> new Flow());
            double in = flow.in.sumThenReset() / seconds;
            double done = flow.done.sumThenReset() / seconds;
            double failed = flow.failed.sumThenReset() / seconds;
            table.row(id, usage.pending(), usage.delayed(), usage.processing(), usage.failed(),
                    Sizes.of(usage.bytes()), rate(in), rate(done), rate(failed));
            if (on.json) {
                on.out().println(new JsonObject().with("tenant", id).with("files", usage.files())
                        .with("bytes", usage.bytes()).with("pending", usage.pending())
                        .with("delayed", usage.delayed()).with("processing", usage.processing())
                        .with("failed", usage.failed()).with("writtenPerSecond", in)
                        .with("completedPerSecond", done).with("failedPerSecond", failed));
            }
        }
        if (!on.json) {
            draw(table, first);
        }
        on.out().flush();
    }

    private void draw(Columns table, boolean first) {
        if (once || !ProgressLine.isTerminal()) {
            table.print(on.out());
            return;
        }
        StringWriter picture = new StringWriter();
        table.print(new PrintWriter(picture, true));
        on.out().print((first ? CLEAR : "") + HOME + picture.toString().replace("\n", CLEAR_LINE + "\n")
                + CLEAR_BELOW);
    }

    private static String rate(double perSecond) {
        return perSecond == 0 ? "-" : String.format("%.1f", perSecond);
    }
}
