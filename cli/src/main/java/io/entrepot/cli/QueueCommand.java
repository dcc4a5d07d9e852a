package io.entrepot.cli;

import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemPage;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.ListRequest;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.Placed;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.QueueStatus;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.Owner;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The queues of a data directory, one step at a time: to look at them, to mend them, and to try them out. */
@Command(name = "queue", addMethodSubcommands = false,
        description = {"Put, claim and end items of the queues in a data directory.",
                "A queue is named owner/lane, an item owner/number; a claim prints the lease that its ending needs."})
final class QueueCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = "Put an item into a queue; prints its name.")
    int put(@Mixin DataOption data, @Parameters(paramLabel = "QUEUE", description = "owner/lane") String queue,
            @Parameters(paramLabel = "PAYLOAD", description = "What the worker gets.") String payload,
            @Option(names = "--priority", defaultValue = "0", description = "Higher goes first.") int priority,
            @Option(names = "--delay", description = "Not before so long, as 90s, 5m, 2h.") @Nullable String delay,
            @Option(names = "--key", description = "The same key and payload is the same item.") @Nullable String key) {
        NewItem item = NewItem.of(QueueName.parse(queue), payload.getBytes(StandardCharsets.UTF_8))
                .withPriority(priority);
        NewItem keyed = key == null ? item : item.withKey(key);
        try (OpenQueues open = OpenQueues.open(data.directory())) {
            Placed placed = open.queues().put(delay == null
                    ? keyed
                    : keyed.withAvailableAt(OpenQueues.CONFIG.wall().instant().plus(Durations.parse(delay))));
            out().println(placed.item() + (placed.created() ? "" : "  (was there already)"));
        }
        return ExitCode.OK;
    }

    @Command(description = "Claim items; prints a lease and a payload for each. Exit code 3 if there are none.")
    int claim(@Mixin DataOption data,
            @Parameters(paramLabel = "QUEUE", arity = "1..*", description = "owner/lane") List<String> queues,
            @Option(names = "--worker", defaultValue = "cli",
                    description = "Who claims (default: ${DEFAULT-VALUE}).") String worker,
            @Option(names = "--max", defaultValue = "1",
                    description = "How many at most (default: ${DEFAULT-VALUE}).") int max,
            @Option(names = "--term", defaultValue = "30m",
                    description = "How long the lease lasts (default: ${DEFAULT-VALUE}).") String term,
            @Option(names = "--wait", defaultValue = "0s", description = "How long to wait for one.") String wait)
            throws InterruptedException {
        ClaimRequest request = new ClaimRequest(queues.stream().map(QueueName::parse).toList(), worker, max,
                Durations.parse(term), Durations.parse(wait));
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            List<Claimed> claimed = open.queues().claim(request);
            for (Claimed one : claimed) {
                out().println(one.lease() + "  " + new String(one.payload(), StandardCharsets.UTF_8));
            }
            return claimed.isEmpty() ? ExitCode.NOTHING : ExitCode.OK;
        }
    }

    @Command(description = "Say that an item is done.")
    int finish(@Mixin DataOption data,
            @Parameters(paramLabel = "LEASE", description = "As claim printed it.") String lease,
            @Option(names = "--keep", description = "Keep the item, as finished.") boolean keep) {
        return end(data, lease, new Ending.Finish(keep));
    }

    @Command(description = "Say that an item could not be done; it is tried again, by the default policy.")
    int fail(@Mixin DataOption data,
            @Parameters(paramLabel = "LEASE", description = "As claim printed it.") String lease,
            @Option(names = "--error", defaultValue = "failed", description = "Why.") String error,
            @Option(names = "--for-good", description = "Do not try again.") boolean forGood) {
        return end(data, lease, new Ending.Fail(error, !forGood, RetryPolicy.DEFAULT));
    }

    @Command(description = "Give an item back to its place in the queue.")
    int release(@Mixin DataOption data,
            @Parameters(paramLabel = "LEASE", description = "As claim printed it.") String lease) {
        return end(data, lease, new Ending.Release());
    }

    private int end(DataOption data, String lease, Ending ending) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            Outcome outcome = open.queues().end(ItemLease.parse(lease), ending);
            out().println(Words.of(outcome.kind()) + (outcome.repeated() ? "  (had ended so before)" : ""));
        }
        return ExitCode.OK;
    }

    @Command(description = "How many items each queue of an owner has, by state.")
    int status(@Mixin DataOption data, @Parameters(paramLabel = "OWNER", description = "Whose queues.") String owner) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            Columns table = new Columns("QUEUE", "READY", "HELD", "DELAYED", "KEPT", "DEAD", "");
            for (QueueStatus status : open.queues().statuses(new Owner(owner))) {
                QueueCounts n = status.counts();
                table.row(status.name(), n.ready(), n.held(), n.delayed(), n.kept(), n.dead(),
                        status.paused() ? "paused" : "");
            }
            table.print(out());
        }
        return ExitCode.OK;
    }

    @Command(description = "List the items of a queue.")
    int ls(@Mixin DataOption data, @Parameters(paramLabel = "QUEUE", description = "owner/lane") String queue,
            @Option(names = "--state", description = "Only those: ${COMPLETION-CANDIDATES}.") @Nullable ItemState state,
            @Option(names = "--limit", defaultValue = "100",
                    description = "How many (default: ${DEFAULT-VALUE}).") int limit,
            @Option(names = "--after", defaultValue = "", description = "Where the last page ended.") String after) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            ItemPage page = open.queues().list(new ListRequest(QueueName.parse(queue), Optional.ofNullable(state),
                    Optional.empty(), after, limit));
            Columns table = new Columns("ITEM", "STATE", "SINCE", "PRIORITY", "FAILED", "HOLDER", "LAST ERROR");
            for (ItemView item : page.items()) {
                table.row(item.id(), Words.of(item.state()), item.since(), item.priority(), item.attempts(),
                        item.holder().orElse("-"), item.lastError().orElse("-"));
            }
            table.print(out());
            if (!page.cursor().isEmpty()) {
                spec.commandLine().getErr().println("more: --after " + page.cursor());
            }
        }
        return ExitCode.OK;
    }

    @Command(description = "What happened to an item, as long as it is remembered.")
    int history(@Mixin DataOption data, @Parameters(paramLabel = "ITEM", description = "owner/number") String item) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            List<HistoryStep> steps = open.queues().history(ItemId.parse(item));
            if (steps.isEmpty()) {
                throw new Failure("queue.no-such-item", "nothing is known of item " + item + " (any more)");
            }
            Columns table = new Columns("TIME", "WHAT", "EPOCH", "WORKER", "");
            steps.forEach(step -> table.row(step.at(), step.what(), step.epoch() == 0 ? "-" : step.epoch(),
                    step.holder().isEmpty() ? "-" : step.holder(), step.note().orElse("")));
            table.print(out());
        }
        return ExitCode.OK;
    }

    @Command(description = "Hand out nothing from a queue until it is resumed.")
    int pause(@Mixin DataOption data, @Parameters(paramLabel = "QUEUE", description = "owner/lane") String queue) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            out().println(open.queues().pause(QueueName.parse(queue)) ? "paused" : "was paused already");
        }
        return ExitCode.OK;
    }

    @Command(description = "Hand out items of a paused queue again.")
    int resume(@Mixin DataOption data, @Parameters(paramLabel = "QUEUE", description = "owner/lane") String queue) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            out().println(open.queues().resume(QueueName.parse(queue)) ? "resumed" : "was not paused");
        }
        return ExitCode.OK;
    }

    @Command(description = "Make an item ready as if it were new; whoever has it loses it.")
    int reset(@Mixin DataOption data, @Parameters(paramLabel = "ITEM", description = "owner/number") String item) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            open.queues().reset(ItemId.parse(item));
            out().println("reset");
        }
        return ExitCode.OK;
    }

    @Command(name = "retry-dead", description = "Make every dead item of a queue ready again.")
    int retryDead(@Mixin DataOption data, @Parameters(paramLabel = "QUEUE", description = "owner/lane") String queue) {
        try (OpenQueues open = OpenQueues.openExisting(data.directory())) {
            out().println(open.queues().retryDead(QueueName.parse(queue)) + " items are ready again");
        }
        return ExitCode.OK;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
