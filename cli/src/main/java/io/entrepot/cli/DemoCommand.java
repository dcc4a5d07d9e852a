package io.entrepot.cli;

import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.IdempotencyConflictException;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.Placed;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.DataDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Tells in a few seconds what the queue promises, on a real data directory that is gone afterwards. */
@Command(name = "demo", description = "See it work: a few seconds, in a temporary directory.")
final class DemoCommand implements Callable<Integer> {
    private static final QueueName QUEUE = QueueName.of("acme", "invoices");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(30);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("entrepot-demo");
        try {
            Path data = directory.resolve("data");
            try (OpenQueues open = OpenQueues.open(data)) {
                tell(open.queues());
                open.data().backup(directory.resolve("backup"));
            }
            DataDirectory.restore(directory.resolve("backup"), directory.resolve("restored"), OpenQueues.CONFIG);
            try (OpenQueues open = OpenQueues.open(directory.resolve("restored"))) {
                say("7. A backup, made while it ran, was restored: incarnation "
                        + open.data().main().incarnation().number()
                        + ", " + open.queues().statuses(QUEUE.owner()).getFirst().counts().total() + " item, "
                        + (open.queues().check().isEmpty() ? "sound" : "damaged") + ".");
            }
        } finally {
            delete(directory);
        }
        say("");
        say("Everything above was on disk before it was answered. Try it yourself: ./entrepot queue --help");
        return ExitCode.OK;
    }

    private void tell(Queues queues) throws InterruptedException {
        Placed first = queues.put(item("invoice-1.pdf").withKey("upload-17"));
        Placed again = queues.put(item("invoice-1.pdf").withKey("upload-17"));
        say("1. invoice-1.pdf is put as " + first.item() + ". The uploader is not sure and sends it again: it is "
                + again.item() + " still, not a second one.");
        try {
            queues.put(item("another.pdf").withKey("upload-17"));
        } catch (IdempotencyConflictException e) {
            say("   Another content under the same key is refused (" + e.code() + ").");
        }

        queues.put(item("invoice-2.pdf"));
        Claimed slow = claim(queues, "worker-a", SHORT);
        Claimed quick = claim(queues, "worker-b", LONG);
        say("2. worker-a claims " + text(slow) + " for one second, worker-b claims " + text(quick)
                + ". Nobody else gets them.");
        say("   worker-b is done: " + word(queues.finish(quick.lease())) + ". Says so twice: "
                + word(queues.finish(quick.lease())) + ", the first outcome again.");

        say("3. worker-a sleeps through its lease …");
        Claimed taken = claim(queues, "worker-c", LONG);
        say("   … so after a second worker-c gets " + text(taken) + ", under epoch " + taken.lease().fence().epoch()
                + ".");
        say("   worker-a wakes up and says it is done: " + refused(queues, slow.lease()) + ".");

        RetryPolicy policy = new RetryPolicy(Duration.ofMillis(100), SHORT, 3, true);
        Claimed failing = taken;
        for (int attempt = 1; attempt <= 3; attempt++) {
            Outcome outcome = queues.end(failing.lease(), new Ending.Fail("page 3 is unreadable", true, policy));
            say((attempt == 1 ? "4. " : "   ") + "worker-c fails: " + word(outcome)
                    + (outcome.kind() == Outcome.Kind.RETRYING
                            ? " after a growing delay …"
                            : ", it is not tried for ever."));
            if (attempt < 3) {
                failing = claim(queues, "worker-c", LONG);
            }
        }
        queues.reset(failing.item());
        say("5. An operator resets it: " + queues.find(failing.item()).orElseThrow().state()
                + " again. Its whole story:");
        queues.history(failing.item()).forEach(step -> say(String.format("      %s  %-9s %s %s", step.at(), step.what(),
                step.holder(), step.note().map(note -> "(" + note + ")").orElse(""))));
        QueueCounts n = queues.status(QUEUE).orElseThrow().counts();
        say("6. What is where, known without counting: " + n.ready() + " ready, " + n.held() + " held, " + n.delayed()
                + " delayed, " + n.kept() + " kept, " + n.dead() + " dead.");
    }

    private static Claimed claim(Queues queues, String worker, Duration term) throws InterruptedException {
        List<Claimed> claimed = queues.claim(ClaimRequest.of(QUEUE, worker, term).waiting(PATIENCE));
        if (claimed.isEmpty()) {
            throw new Failure("demo",
                    "nothing could be claimed within " + PATIENCE.toSeconds() + " s; is the machine that busy?");
        }
        return claimed.getFirst();
    }

    private static String refused(Queues queues, ItemLease lease) {
        try {
            return word(queues.finish(lease));
        } catch (LeaseLostException e) {
            return "refused (" + e.code() + "), its epoch " + lease.fence().epoch() + " is over";
        }
    }

    private static NewItem item(String name) {
        return NewItem.of(QUEUE, name.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Claimed claimed) {
        return new String(claimed.payload(), StandardCharsets.UTF_8);
    }

    private static String word(Outcome outcome) {
        return outcome.kind().toString();
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
