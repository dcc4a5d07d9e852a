package io.entrepot.chaos.server;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.History;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDirectory;
import io.entrepot.lab.Nursery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that is killed under many clients, again and again, and comes back at the same address. Nobody tells the clients: they go on by
 * themselves, each of them, or that is a violation. After some deaths the clients stop, and the server is compared with all that was
 * acknowledged since it was new.
 */
final class KillRounds {
    static final int CLIENTS = 64;
    /** After so many deaths there is a new server, so that a history stays small enough to be checked. */
    private static final int LIVES = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LONGEST_START_MILLIS = 700;
    static final int BUSY = 1_000;

    private final ChaosRun run;
    private final Bug bug;
    private final int clients;
    private final int busy;
    private final Random random;
    private long slowest;
    private long answers;

    /** @param busy how many answers a server gives before it dies, about */
    KillRounds(ChaosRun run, Bug bug, int clients, int busy) {
        this.run = run;
        this.bug = bug;
        this.clients = clients;
        this.busy = busy;
        this.random = run.random(1);
    }

    void run() throws Exception {
        run.progress().say("a server that is killed under " + clients + " clients");
        int deaths = run.rounds(10, 50);
        try (Nursery nursery = Host.nursery(1)) {
            for (int done = 0; done < deaths; done += LIVES) {
                lives(nursery, Math.min(LIVES, deaths - done), done / LIVES);
            }
        }
        run.note(answers + " answers; after a death all clients were served again within " + slowest + " ms");
    }

    private void lives(Nursery nursery, int lives, int number) throws Exception {
        History history = new History();
        Queue<String> bad = new ConcurrentLinkedQueue<>();
        try (LabDirectory data = LabDirectory.create(DiskOptions.memory());
                Host host = Host.of(nursery, data.path().resolve("data"), Map.of(), bug)) {
            host.begin();
            host.awaitServing();
            AtomicBoolean goesOn = new AtomicBoolean(true);
            List<Customer> customers = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                String name = "c" + number + "x" + i;
                customers.add(client(i, host, new Customer.Life(name, history.recorder(name),
                        run.random(1000L * number + i), goesOn::get, bad::add)));
                threads.add(Thread.ofPlatform().name(name).start(customers.getLast()));
            }
            try {
                for (int life = 0; life < lives && !isFoundOut(bad); life++) {
                    life(host, customers, number * LIVES + life, bad);
                }
            } finally {
                goesOn.set(false);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            answers += answers(customers);
            run.checked(1, bad);
            try (Caller caller = new Caller(host)) {
                new Inspection(run, history, lives + " deaths").of(caller);
            }
        }
    }

    /** Most speak HTTP by themselves, as anybody may; some use our client for Java, some the tus protocol. */
    private static Customer client(int number, Host host, Customer.Life life) {
        return switch (number % 8) {
            case 0, 1 -> new JavaClient(life, host);
            case 2 -> new TusClient(life, new Caller(host));
            default -> new Client(life, new Caller(host));
        };
    }

    private static long answers(List<Customer> customers) {
        return customers.stream().mapToLong(Customer::answers).sum();
    }

    /** A bug that was seeded has no more to show when it has shown itself. */
    private boolean isFoundOut(Queue<String> bad) {
        return bug != Bug.NONE && !bad.isEmpty();
    }

    /** Ends with a death, and with a server that serves all clients again. */
    private void life(Host host, List<Customer> customers, int number, Queue<String> bad) throws Exception {
        long enough = answers(customers) + random.nextInt(2 * busy);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (answers(customers) < enough && !isFoundOut(bad) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(random.nextInt(10_000_000));
        }
        if (isFoundOut(bad)) {
            return;
        }
        run.check(host.alive(), () -> "the server died by itself in life " + number);
        host.kill();
        if (random.nextInt(5) == 0) { // the next one dies while it starts
            host.begin();
            LockSupport.parkNanos(random.nextInt(LONGEST_START_MILLIS) * 1_000_000L);
            host.kill();
        }
        List<Long> before = customers.stream().map(Customer::answers).toList();
        host.begin();
        host.awaitServing();
        long began = System.nanoTime();
        for (int i = 0; i < customers.size(); i++) {
            Customer client = customers.get(i);
            long had = before.get(i);
            while (client.answers() == had && System.nanoTime() - began < PATIENCE.toNanos()) {
                LockSupport.parkNanos(1_000_000);
            }
            int who = i;
            run.check(client.answers() > had, () -> "client " + who + " did not recover from death " + number);
        }
        slowest = Math.max(slowest, (System.nanoTime() - began) / 1_000_000);
        run.round();
    }
}
