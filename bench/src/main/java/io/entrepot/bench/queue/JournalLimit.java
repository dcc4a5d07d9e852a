package io.entrepot.bench.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * How fast can a durable queue be? A queue that does nothing but the unavoidable: an append-only journal on disk, the state
 * in memory, and one writer that commits for all callers who wait. No history, no retries, no listing, no clean-up: this
 * is not a queue to use, it is the upper bound for one, and every shortcut that keeps the promise is taken. The promise
 * is the real one: a claim or finish that has returned is on disk, in order, and survives power loss.
 *
 * <p>One round of the writer: take all requests, decide them on the state in memory (nobody else touches it, so there are
 * no locks), write them as one frame, sync once, wake the callers. Callers who have just been woken come back within
 * microseconds; if the writer starts its next sync at once, it leaves with half of them and the others wait for two syncs. So
 * it waits a little for as many as last time.
 *
 * <p>{@link #claim} and {@link #finish} may be called by any number of threads, virtual ones best.
 */
final class JournalLimit implements PairQueue<JournalEntry>, AutoCloseable {

    private static final long CROWD_PATIENCE_NANOS = 150_000;

    private record Item(long id, long epoch) {}

    private final JournalFile journal;
    private final Thread writer;
    private final Inbox inbox;
    private volatile boolean closed;

    // Owned by the writer from its start on.
    private final List<Queue<Item>> ready = new ArrayList<>();
    private final Map<Long, JournalEntry> held = new HashMap<>();
    private final SplittableRandom nonces = new SplittableRandom();
    @Nullable
    private IOException broken;

    /** With so many items, dealt out to the tenants' queues in turn. */
    JournalLimit(Path file, int tenants, int items) throws IOException {
        this(new JournalFile(file, items * 2L * (JournalEntry.BYTES + 8)), tenants, items);
    }

    JournalLimit(JournalFile journal, int tenants, int items) {
        this.journal = journal;
        for (int tenant = 0; tenant < tenants; tenant++) {
            ready.add(new ArrayDeque<>());
        }
        for (int item = 0; item < items; item++) {
            ready.get(item % tenants).add(new Item(item, 0));
        }
        writer = Thread.ofPlatform().name("journal").unstarted(this::write);
        inbox = new Inbox(writer);
        writer.start();
    }

    @Override
    public List<JournalEntry> claim(int tenant, int count) throws IOException {
        return submit(Request.claim(tenant, count));
    }

    @Override
    public void finish(int tenant, List<JournalEntry> claimed) throws IOException {
        submit(Request.finish(tenant, claimed));
    }

    private List<JournalEntry> submit(Request request) throws IOException {
        inbox.put(request);
        return request.await();
    }

    private void write() {
        int crowd = 1;
        while (true) {
            if (!closed) {
                inbox.awaitOne();
            }
            inbox.awaitCrowd(crowd, CROWD_PATIENCE_NANOS);
            List<Request> requests = inbox.takeAll();
            if (requests.isEmpty() && closed) {
                return;
            }
            crowd = Math.max(1, requests.size());
            commit(requests);
        }
    }

    private void commit(List<Request> requests) {
        try {
            if (broken == null) {
                for (Request request : requests) {
                    decide(request);
                }
                journal.sync();
            }
        } catch (IOException e) {
            broken = e; // what is on disk now is unknown: nothing is promised any more
        }
        for (Request request : requests) {
            request.answer(broken);
        }
    }

    private void decide(Request request) throws IOException {
        switch (request.kind) {
            case CLAIM -> {
                List<JournalEntry> claims = new ArrayList<>(request.count);
                Queue<Item> queue = ready.get(request.tenant);
                for (Item item = queue.peek(); item != null && claims.size() < request.count; item = queue.peek()) {
                    queue.remove();
                    JournalEntry claim = new JournalEntry(JournalEntry.Kind.CLAIM, request.tenant, item.id(),
                            item.epoch() + 1, nonces.nextLong());
                    held.put(item.id(), claim);
                    journal.add(claim);
                    claims.add(claim);
                }
                request.hold(claims);
            }
            case FINISH -> {
                for (JournalEntry claim : request.claimed) {
                    if (held.remove(claim.item(), claim)) {
                        journal.add(new JournalEntry(JournalEntry.Kind.FINISH, claim.tenant(), claim.item(),
                                claim.epoch(), claim.nonce()));
                    }
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        inbox.wake();
        boolean interrupted = false;
        while (writer.isAlive()) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        journal.close();
    }

    /** Pairs of claim and finish per second until all items are done. */
    static double measure(Path directory, PairLoad load) throws Exception {
        Path file = directory.resolve("journal-limit");
        Files.deleteIfExists(file);
        try (JournalLimit limit = new JournalLimit(file, load.tenants(), load.items())) {
            return load.run(limit);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
