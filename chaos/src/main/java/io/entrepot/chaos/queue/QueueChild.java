package io.entrepot.chaos.queue;

import io.entrepot.chaos.history.Event;
import io.entrepot.chaos.history.Recorder;
import io.entrepot.lab.Parent;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Faults;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The owning process of a data directory, with workers that never stop. Told {@code DIRECTORY SEED POINT COUNT SYNC}; when
 * the point has been reached so often it says {@code at} and stands still right there, to be killed. Point {@code none}
 * means never. Told {@code train}, works for a moment and ends.
 */
final class QueueChild {
    static final String AT_POINT = "at";
    private static final int WORKERS = 6;
    private static final Duration TERM = Duration.ofMillis(40);

    private QueueChild() {}

    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.connect();
        Path scratch = Files.createTempDirectory("entrepot-child");
        try (DataDirectory warmUp = DataDirectory.open(scratch, Site.CONFIG.withSync(false))) {
            warmUp.main().check();
        }
        delete(scratch);
        parent.ready();
        String[] words = parent.next().split(" ", -1);
        if (words[0].equals("train")) {
            Path directory = Files.createTempDirectory("entrepot-train");
            live(parent, directory, new Random(1), Site.CONFIG);
            LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
            try {
                delete(directory);
            } finally {
                System.exit(0); // the workers go on until then, and may make a file while others are deleted
            }
        }
        Path directory = Path.of(words[0]);
        StoreConfig config = Site.CONFIG.withSync(Boolean.parseBoolean(words[4])).withWalBytes(1 << 20);
        if (!words[2].equals("none")) {
            config = config
                    .withFaults(standStillAt(parent, Faults.Point.valueOf(words[2]), Integer.parseInt(words[3])));
        }
        live(parent, directory, new Random(Long.parseLong(words[1])), config);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    static Faults standStillAt(Parent parent, Faults.Point where, int count) {
        AtomicInteger reached = new AtomicInteger();
        return point -> {
            if (point == where && reached.incrementAndGet() == count) {
                parent.say(AT_POINT);
                while (true) {
                    LockSupport.park();
                }
            }
        };
    }

    private static void live(Parent parent, Path directory, Random random, StoreConfig config) {
        DataDirectory data = DataDirectory.open(directory, config);
        Queues queues = Queues.open(data, config, QueueConfig.DEFAULT.withMaxDeliveries(1_000));
        Recorder recorder = new Recorder(event -> parent.say(line(event)));
        for (int i = 0; i < WORKERS; i++) {
            Workload workload = new Workload(ProcessHandle.current().pid() + "." + i, queues, recorder,
                    new Random(random.nextLong()), Site.LANES, TERM, () -> LockSupport.parkNanos(TERM.toNanos()));
            Thread.ofPlatform().start(i % 2 == 0 ? () -> forEver(workload) : () -> steadily(workload));
        }
    }

    private static void steadily(Workload workload) {
        for (int number = 0;; number++) {
            workload.put(number);
            workload.workSteadily();
        }
    }

    private static String line(Event event) {
        return event.line();
    }

    private static void forEver(Workload workload) {
        for (int number = 0;; number++) {
            if (number % 3 < 2) {
                workload.put(number);
            }
            workload.work();
        }
    }
}
