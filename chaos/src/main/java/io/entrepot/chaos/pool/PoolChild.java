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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The process that has pools open, with users who never stop. Told an {@link Order} for each; when its goal has been reached
 * a pool says {@code at 0} and stands still right there, to be killed, or told the next {@link Goal}, at which it will say {@code at 1}.
 * Before files are moved it says {@code moving}. What must not be is said as {@code bad …}.
 * Every line begins with the number of its pool. Told {@code train}, works for a moment and ends.
 */
final class PoolChild {
    static final String AT_POINT = "at ";
    static final String BAD = "bad ";
    static final String MOVING = "moving";
    static final String SEPARATOR = ";";
    private static final int USERS = 4;
    private static final Duration TERM = Duration.ofMillis(40);
    private static final int LONGEST_PAUSE_MICROS = 4_000;
    private static final int SENDERS_LONGEST_PAUSE_MICROS = 60_000;
    /** Of all others, while one of them stands where it is to stand. */
    private static final int LONGEST_REST_MICROS = 20_000;

    private PoolChild() {}

    /**
     * Where a pool is to stand still.
     *
     * @param point a name of {@link PoolFaults.Point} or {@link Faults.Point}, or {@code none}
     * @param count when it is reached for the so many'th time from now
     */
    record Goal(String point, int count) {
        static final String NOWHERE = "none";

        String line() {
            return point + " " + count;
        }

        static Goal parse(String point, String count) {
            return new Goal(point, Integer.parseInt(count));
        }
    }

    /**
     * What a pool's life is to be, as one line.
     *
     * @param repeats files with idempotency keys that earlier children have written, or may have
     */
    record Order(Path place, long seed, Goal goal, Duration syncEvery, Bug bug, List<String> repeats) {

        String line() {
            return place + " " + seed + " " + goal.line() + " " + syncEvery.toMillis() + " " + bug + " "
                    + String.join(",", repeats);
        }

        static Order parse(String line) {
            String[] words = line.split(" ", -1);
            return new Order(Path.of(words[0]), Long.parseLong(words[1]), Goal.parse(words[2], words[3]),
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
            Order order = new Order(place.directory(), 1, new Goal(Goal.NOWHERE, 0), Duration.ofMillis(5), Bug.NONE,
                    List.of());
            live(parent::say, order, new Standing(parent::say, order.goal));
            LockSupport.parkNanos(Duration.ofMillis(400).toNanos());
            try {
                place.forget();
                Tree.delete(disk);
            } finally {
                System.exit(0); // the users go on until then, and may make a file while others are deleted
            }
        }
        List<Standing> pools = new ArrayList<>();
        for (String words : line.split(SEPARATOR, -1)) {
            Order order = Order.parse(words);
            String number = pools.size() + " ";
            Consumer<String> say = said -> parent.say(number + said);
            Standing standing = new Standing(say, order.goal);
            pools.add(standing);
            Thread.ofPlatform().start(() -> live(say, order, standing));
        }
        while (true) { // also if no pool can be opened: it is killed, and does not die
            String[] goals = parent.next().split(SEPARATOR, -1);
            for (int i = 0; i < goals.length; i++) {
                String[] words = goals[i].split(" ", -1);
                pools.get(i).goOn(Goal.parse(words[0], words[1]));
            }
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

    private static void live(Consumer<String> say, Order order, Standing standing) {
        Pool pool;
        try {
            pool = Pool.open(config(order, standing));
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
            forEver(say, standing, 0, () -> {
                for (String word : repeats) {
                    workload.write(Token.parse(word).orElseThrow());
                }
            }, workload::step);
        }
        Sender sender = new Sender(ProcessHandle.current().pid() + ".s", new Place(order.place), recorder,
                new Random(random.nextLong()));
        forEver(say, standing, SENDERS_LONGEST_PAUSE_MICROS, () -> {}, sender::send);
        Caretaker caretaker = new Caretaker(pool, new Random(random.nextLong()), () -> say.accept(MOVING),
                what -> say.accept(BAD + what.replace('\n', ' ')));
        forEver(say, standing, LONGEST_PAUSE_MICROS, () -> {}, _ -> {
            if (standing.isOfMoves()) {
                caretaker.drain();
            } else {
                caretaker.step();
            }
        });
    }

    private static PoolConfig config(Order order, Standing standing) {
        PoolConfig config = new Place(order.place).config(order.syncEvery);
        PoolConfig.Platform platform = config.platform();
        StoreConfig store = platform.store().withSync(order.bug != Bug.COMMITS_DO_NOT_SYNC);
        FileCalls calls = order.bug == Bug.VOLUMES_DO_NOT_SYNC
                ? new HookedCalls((call, _) -> !call.equals("syncFileSystem"))
                : platform.calls();
        return config.withPlatform(platform.withCalls(calls)
                .withFaults(point -> standing.at(point.name()))
                .withStore(store.withFaults(point -> standing.at(point.name()))));
    }

    /** How a pool stands still at its goals, one after the other. Safe for use by many threads. */
    private static final class Standing {
        private final Consumer<String> say;
        private volatile Aim aim;

        private record Aim(int number, Goal goal, AtomicInteger reached, CountDownLatch over) {
            Aim(int number, Goal goal) {
                this(number, goal, new AtomicInteger(), new CountDownLatch(1));
            }
        }

        Standing(Consumer<String> say, Goal goal) {
            this.say = say;
            this.aim = new Aim(0, goal);
        }

        /** Called at every point; does not return where it is to stand, until it is to go on. */
        void at(String point) {
            Aim now = aim;
            if (point.equals(now.goal.point) && now.reached.incrementAndGet() == now.goal.count) {
                say.accept(AT_POINT + now.number);
                standUntil(now.over);
            }
        }

        private static void standUntil(CountDownLatch over) {
            boolean interrupted = false;
            while (over.getCount() > 0) {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void goOn(Goal goal) {
            Aim before = aim;
            aim = new Aim(before.number + 1, goal);
            before.over.countDown();
        }

        boolean isThere() {
            Aim now = aim;
            return now.reached.get() >= now.goal.count && !now.goal.point.equals(Goal.NOWHERE);
        }

        boolean isOfMoves() {
            return aim.goal.point.startsWith("MOVE");
        }
    }

    private interface First {
        void make() throws IOException, InterruptedException;
    }

    private interface Step {
        void make(int number) throws IOException, InterruptedException;
    }

    /** Somebody's life. */
    private static void forEver(Consumer<String> say, Standing standing, int longestPauseMicros, First first,
            Step step) {
        Thread.ofPlatform().start(() -> {
            try {
                first.make();
                for (int number = 0;; number++) {
                    step.make(number);
                    int longest = standing.isThere() ? LONGEST_REST_MICROS : longestPauseMicros;
                    if (longest > 0) {
                        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(longest) * 1_000L);
                    }
                }
            } catch (IOException | InterruptedException | RuntimeException | Error e) {
                say.accept(BAD + "somebody's life ended with " + e + " at " + List.of(e.getStackTrace()));
            }
        });
    }
}
