package io.entrepot.chaos.pool;

import io.entrepot.chaos.history.Recorder;
import io.entrepot.lab.HookedCalls;
import io.entrepot.lab.Parent;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.posix.FileCalls;
import io.entrepot.store.Faults;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The process that has pools open, with users who never stop. Told an {@link Order} for each; when its point has been reached
 * so often a pool says {@code at} and stands still right there, to be killed. Before files are moved it says {@code moving}. What
 * must not be is said as {@code bad …}.
 * Every line begins with the number of its pool. Told {@code train}, works for a moment and ends.
 */
final class PoolChild {
    static final String AT_POINT = "at";
    static final String BAD = "bad ";
    static final String MOVING = "moving";
    static final String SEPARATOR = ";";
    private static final int USERS = 4;
    private static final Duration TERM = Duration.ofMillis(40);
    private static final int LONGEST_PAUSE_MICROS = 4_000;

    private PoolChild() {}

    /**
     * What a child is to do, as one line.
     *
     * @param point   where to stand still: a name of {@link PoolFaults.Point} or {@link Faults.Point}, or {@code none}
     * @param repeats files with idempotency keys that earlier children have written, or may have
     */
    record Order(Path place, long seed, String point, int count, Duration syncEvery, Bug bug, List<String> repeats) {
        static final String NOWHERE = "none";

        String line() {
            return place + " " + seed + " " + point + " " + count + " " + syncEvery.toMillis() + " " + bug + " "
                    + String.join(",", repeats);
        }

        static Order parse(String line) {
            String[] words = line.split(" ", -1);
            return new Order(Path.of(words[0]), Long.parseLong(words[1]), words[2], Integer.parseInt(words[3]),
                    Duration.ofMillis(Long.parseLong(words[4])), Bug.valueOf(words[5]),
                    Stream.of(words[6].split(",", -1)).filter(word -> !word.isEmpty()).toList());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.connect();
        warmUp();
        parent.ready();
        String line = parent.next();
        if (line.equals("train")) {
            Place place = Place.create();
            Path disk = Files.createTempDirectory("entrepot-train");
            place.lieOn(disk, disk);
            live(parent::say,
                    new Order(place.directory(), 1, Order.NOWHERE, 0, Duration.ofMillis(5), Bug.NONE, List.of()));
            LockSupport.parkNanos(Duration.ofMillis(400).toNanos());
            try {
                place.forget();
                Tree.delete(disk);
            } finally {
                System.exit(0); // the users go on until then, and may make a file while others are deleted
            }
        }
        String[] orders = line.split(SEPARATOR, -1);
        for (int i = 0; i < orders.length; i++) {
            Order order = Order.parse(orders[i]);
            String number = i + " ";
            Thread.ofPlatform().start(() -> live(words -> parent.say(number + words), order));
        }
        while (true) { // also if no pool can be opened: it is killed, and does not die
            LockSupport.park();
        }
    }

    /** What is the same for every child, before it is needed. */
    private static void warmUp() throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("entrepot-child");
        PoolConfig config = PoolConfig.in(scratch)
                .withPlatform(PoolConfig.Platform.system().withStore(StoreConfig.of().withSync(false)));
        try (Pool pool = Pool.open(config)) {
            pool.files().write(TenantId.DEFAULT, NewFile.named("warm"), new byte[10]);
            pool.work().claim(TenantId.DEFAULT, "warm").ifPresent(claimed -> pool.work().complete(claimed.lease()));
        }
        Tree.delete(scratch);
    }

    private static void live(Consumer<String> say, Order order) {
        Pool pool;
        try {
            pool = Pool.open(config(say, order));
            if (pool.tenants().find(Token.SHARDED).isEmpty()) {
                pool.tenants().createWithShard(Token.SHARDED, TenantLimits.NONE);
            }
        } catch (InterruptedException | RuntimeException e) {
            say.accept(BAD + "it cannot be opened: " + e);
            return;
        }
        Recorder recorder = new Recorder(event -> say.accept(event.line()));
        Random random = new Random(order.seed);
        for (int i = 0; i < USERS; i++) {
            PoolWorkload workload = new PoolWorkload(ProcessHandle.current().pid() + "." + i, pool, recorder,
                    new Random(random.nextLong()), TERM, () -> LockSupport.parkNanos(TERM.toNanos()),
                    what -> say.accept(BAD + what.replace('\n', ' ')), order.bug, Set.of());
            List<String> repeats = i == 0 ? order.repeats : List.of();
            forEver(say, 0, () -> {
                for (String word : repeats) {
                    workload.write(Token.parse(word).orElseThrow());
                }
            }, workload::step);
        }
        Sender sender = new Sender(ProcessHandle.current().pid() + ".s", new Place(order.place), recorder,
                new Random(random.nextLong()));
        forEver(say, LONGEST_PAUSE_MICROS, () -> {}, sender::send);
        Caretaker caretaker = new Caretaker(pool, new Random(random.nextLong()), () -> say.accept(MOVING),
                what -> say.accept(BAD + what.replace('\n', ' ')));
        boolean moves = order.point.startsWith("MOVE");
        forEver(say, LONGEST_PAUSE_MICROS, () -> {}, _ -> {
            if (moves) {
                caretaker.drain();
            } else {
                caretaker.step();
            }
        });
    }

    private static PoolConfig config(Consumer<String> say, Order order) {
        PoolConfig config = new Place(order.place).config(order.syncEvery);
        PoolConfig.Platform platform = config.platform();
        StoreConfig store = platform.store().withSync(order.bug != Bug.COMMITS_DO_NOT_SYNC);
        AtomicInteger reached = new AtomicInteger();
        FileCalls calls = order.bug == Bug.VOLUMES_DO_NOT_SYNC
                ? new HookedCalls((call, _) -> !call.equals("syncFileSystem"))
                : platform.calls();
        return config.withPlatform(platform.withCalls(calls)
                .withFaults(point -> standStill(say, order, point.name(), reached))
                .withStore(store.withFaults(point -> standStill(say, order, point.name(), reached))));
    }

    private static void standStill(Consumer<String> say, Order order, String point, AtomicInteger reached) {
        if (point.equals(order.point) && reached.incrementAndGet() == order.count) {
            say.accept(AT_POINT);
            while (true) {
                LockSupport.park();
            }
        }
    }

    private interface First {
        void make() throws IOException, InterruptedException;
    }

    private interface Step {
        void make(int number) throws IOException, InterruptedException;
    }

    /** Somebody's life. */
    private static void forEver(Consumer<String> say, int longestPauseMicros, First first, Step step) {
        Thread.ofPlatform().start(() -> {
            try {
                first.make();
                for (int number = 0;; number++) {
                    step.make(number);
                    if (longestPauseMicros > 0) {
                        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(longestPauseMicros) * 1_000L);
                    }
                }
            } catch (IOException | InterruptedException | RuntimeException | Error e) {
                say.accept(BAD + "somebody's life ended with " + e + " at " + List.of(e.getStackTrace()));
            }
        });
    }
}
