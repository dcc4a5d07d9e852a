package io.entrepot.chaos.pool;

import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/**
 * What operators do while users work: empty a volume and take it back, look for orphans, clear away temporary files and empty
 * directories. At most one volume is being emptied at a time, so that there is always one to write to. Use by one thread.
 */
final class Caretaker {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Longer than any writer takes between two pieces. */
    private static final Duration OLD = Duration.ofSeconds(10);
    private static final int LONGEST_DRAIN_MILLIS = 40;

    private final Pool pool;
    private final Random random;
    private final Runnable moving;
    private final Consumer<String> bad;

    /** @param moving told before files are moved */
    Caretaker(Pool pool, Random random, Runnable moving, Consumer<String> bad) {
        this.pool = pool;
        this.random = random;
        this.moving = moving;
        this.bad = bad;
    }

    /** Does one thing or another. */
    void step() throws InterruptedException {
        switch (random.nextInt(6)) {
            case 0, 1, 2 -> drain();
            case 3 -> pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false).await();
            case 4 -> pool.cleanup().emptyDirectories(false).await();
            default -> pool.cleanup().temporaryFiles(OLD, false).await();
        }
    }

    /** Begins to empty a volume; goes on for ever, is given up, or comes to its end. */
    void drain() throws InterruptedException {
        List<VolumeInfo> volumes = pool.volumes().list();
        String name = volumes.get(random.nextInt(volumes.size())).name();
        for (VolumeInfo volume : volumes) {
            if (volume.state() == VolumeState.DRAINING && !volume.name().equals(name)) {
                activate(pool, volume.name()).ifPresent(bad);
            }
        }
        moving.run();
        JobHandle job = pool.volumes().drain(name);
        Optional<RunReport> ended = job.await(Duration.ofMillis(1 + random.nextInt(LONGEST_DRAIN_MILLIS)));
        ended.filter(report -> report.state() != JobState.DONE)
                .ifPresent(report -> bad.accept("emptying " + name + " ended with " + report));
        if (random.nextInt(3) > 0) {
            activate(pool, name).ifPresent(bad);
        }
    }

    /** Gives up to empty a volume, and waits until nobody does. Says what is wrong. */
    static Optional<String> activate(Pool pool, String name) throws InterruptedException {
        JobHandle job = pool.volumes().drain(name);
        pool.volumes().activate(name);
        Optional<RunReport> report = job.await(PATIENCE);
        return report.filter(ended -> ended.state() == JobState.DONE).isPresent()
                ? Optional.empty()
                : Optional.of("emptying " + name + " was given up and " + report.map(RunReport::toString)
                        .orElse("goes on"));
    }
}
