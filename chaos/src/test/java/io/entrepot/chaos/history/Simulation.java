package io.entrepot.chaos.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Workers at a {@link ModelQueue}, in one thread, every choice by a seed. A call begins, takes effect and is answered at three
 * different moments, between which anything may happen to others; a crash takes all calls under way with it, some after
 * they took effect. Workers also use leases they have lost, and repeat calls.
 */
final class Simulation {

    private static final int WORKERS = 5;

    private static final class Worker {
        long number;
        @Nullable
        Call call;
        @Nullable
        Answer answer;
    }

    private final Random random;
    private final ModelQueue queue;
    private final History history = new History();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Grant> leases = new ArrayList<>();
    private final List<Call.Put> keyed = new ArrayList<>();
    private Recorder recorder;
    private long time;
    private int items;
    private int processes;

    private Simulation(Bug bug, long seed) {
        random = new Random(seed);
        queue = new ModelQueue(bug, random);
        recorder = nextProcess();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(new Worker());
        }
    }

    static Verdict run(Bug bug, long seed, int steps) {
        Simulation simulation = new Simulation(bug, seed);
        for (int step = 0; step < steps; step++) {
            simulation.step();
        }
        return QueueHistoryChecker.check(simulation.history.operations(), simulation.queue.atTheEnd());
    }

    private void step() {
        switch (random.nextInt(100)) {
            case 0 -> crash();
            case 1, 2, 3 -> queue.expire();
            default -> step(random.nextInt(WORKERS));
        }
    }

    private void step(int index) {
        Worker worker = workers.get(index);
        if (worker.call == null) {
            worker.call = choose();
            worker.number = recorder.began("w" + index, worker.call);
        } else if (worker.answer == null) {
            // Now and then a commit fails: done or not, the caller is not told.
            boolean unclear = random.nextInt(30) == 0;
            Answer answer = unclear && random.nextBoolean() ? new Answer.Unknown("x") : queue.apply(worker.call);
            worker.answer = unclear ? new Answer.Unknown("commit") : answer;
        } else {
            if (worker.answer instanceof Answer.Granted granted) {
                leases.addAll(granted.grants());
            }
            recorder.ended(worker.number, worker.answer);
            worker.call = null;
            worker.answer = null;
        }
    }

    private Call choose() {
        int choice = random.nextInt(10);
        if (choice < 2 || (choice < 7 && leases.isEmpty())) {
            return put();
        }
        if (choice < 4) {
            return items > 0 && random.nextInt(8) == 0
                    ? new Call.Remove("item-" + (1 + random.nextInt(items)))
                    : new Call.Claim();
        }
        if (leases.isEmpty()) {
            return new Call.Claim();
        }
        // Mostly one of the last leases, sometimes one of long ago.
        int back = random.nextInt(random.nextBoolean() ? Math.min(4, leases.size()) : leases.size());
        Call.Step.Kind[] kinds = Call.Step.Kind.values();
        return new Call.Step(kinds[random.nextInt(kinds.length)], leases.get(leases.size() - 1 - back));
    }

    private Call put() {
        if (!keyed.isEmpty() && random.nextInt(3) == 0) {
            Call.Put earlier = keyed.get(random.nextInt(keyed.size()));
            return random.nextInt(4) == 0 ? new Call.Put("item-" + ++items, earlier.key()) : earlier;
        }
        String item = "item-" + ++items;
        Call.Put put = new Call.Put(item, random.nextBoolean() ? Optional.of("key-" + item) : Optional.empty());
        put.key().ifPresent(key -> keyed.add(put));
        return put;
    }

    private void crash() {
        queue.crash();
        for (Worker worker : workers) {
            worker.call = null;
            worker.answer = null;
        }
        recorder = nextProcess();
    }

    private Recorder nextProcess() {
        String name = "process-" + ++processes;
        return new Recorder(event -> history.add(name, event), () -> ++time);
    }
}
