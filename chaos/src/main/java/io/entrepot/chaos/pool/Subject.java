package io.entrepot.chaos.pool;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.History;
import io.entrepot.chaos.history.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One pool that dies again and again, and what was acknowledged in all its lives. Lines are heard on the child's thread;
 * everything else is for one thread.
 */
final class Subject {
    /** Lines that say that its users are at work. */
    private static final int WARM = 20;
    private static final int MOST_REPEATS = 6;
    private static final Duration ALL_THE_TIME = Duration.ofMillis(1);
    /** There are lives in which volumes are synced all the time, now and then, and never. */
    private static final List<Duration> SYNCS = List.of(ALL_THE_TIME, Duration.ofMillis(10), Duration.ofMinutes(1));
    private final ChaosRun run;
    private final Random random;
    private final Points points;
    private final Bug bug;
    private final String name;
    private final Place place;
    private final History history = new History();
    private int life;
    /** How often its life went on after a power cut that was only looked at. */
    private final AtomicInteger moment = new AtomicInteger();
    private String point = PoolChild.Goal.NOWHERE;
    private Duration syncEvery = ALL_THE_TIME;
    private volatile CountDownLatch atPoint = new CountDownLatch(1);
    private volatile CountDownLatch working = new CountDownLatch(WARM);
    /** What has happened since somebody looked. */
    private final List<String> unseen = new ArrayList<>();
    private boolean cut;
    private volatile boolean moved;

    Subject(ChaosRun run, Random random, Points points, Bug bug, String name) throws IOException {
        this.run = run;
        this.random = random;
        this.points = points;
        this.bug = bug;
        this.name = name;
        this.place = Place.create();
    }

    void lieOn(Path first, Path second) throws IOException {
        place.lieOn(first.resolve(name), second.resolve(name));
    }

    /** Begins a life; it is to stand somewhere first, or not. */
    PoolChild.Order live(boolean stand) {
        life++;
        moment.set(0);
        // Only who was not looked after has something to be done again.
        point = stand ? points.first(!unseen.isEmpty()) : PoolChild.Goal.NOWHERE;
        syncEvery = Points.isOfSyncs(point) ? ALL_THE_TIME : SYNCS.get(random.nextInt(SYNCS.size()));
        return new PoolChild.Order(place.directory(), random.nextLong(), aim(), syncEvery, bug, repeats());
    }

    /** Goes on with its life until it stands somewhere else, or not. */
    PoolChild.Goal goOn(boolean stand) {
        moment.incrementAndGet();
        point = stand ? points.next(syncEvery.equals(ALL_THE_TIME)) : PoolChild.Goal.NOWHERE;
        return aim();
    }

    private PoolChild.Goal aim() {
        atPoint = new CountDownLatch(1);
        working = new CountDownLatch(WARM);
        return new PoolChild.Goal(point, count());
    }

    /** Often enough for somebody to be at work, and soon enough for a short life. */
    private int count() {
        int most = switch (point) {
            case "REDO", "CHECKPOINT", "MOVE_COPIED", "MOVED" -> 1;
            case "BEFORE_SYNC", "AFTER_SYNC", "BEFORE_UNLINK", "IMPORT_RECORDED", "SOURCE_RENAMED", "SOURCE_REMOVED" ->
                6;
            default -> 25;
        };
        return 1 + random.nextInt(most);
    }

    /** Writes with a key of which nobody knows what became, and others that were acknowledged. */
    private List<String> repeats() {
        List<String> unknown = new ArrayList<>();
        List<String> known = new ArrayList<>();
        for (Operation operation : history.operations()) {
            if (operation.call() instanceof Call.Put put && put.key().isPresent()) {
                (operation.answer() instanceof Answer.Unknown ? unknown : known).add(put.item());
            }
        }
        Collections.shuffle(known, random);
        List<String> repeats = new ArrayList<>(unknown.reversed().stream().distinct().limit(MOST_REPEATS).toList());
        known.stream().limit(2).forEach(repeats::add);
        return repeats;
    }

    void heard(String line) {
        if (line.startsWith(PoolChild.AT_POINT)) {
            if (line.equals(PoolChild.AT_POINT + moment.get())) { // who comes too late is not waited for any more
                atPoint.countDown();
            }
        } else if (line.equals(PoolChild.MOVING)) {
            moved = true;
        } else if (line.startsWith(PoolChild.BAD)) {
            run.check(false, () -> source() + ": " + line);
        } else {
            history.addLine(source(), line);
            working.countDown();
        }
    }

    private String source() {
        return name + "." + life;
    }

    /** Waits until it stands where it is to stand, or its users are at work. Says whether that came in time. */
    boolean await(Duration patience) throws InterruptedException {
        boolean nowhere = point.equals(PoolChild.Goal.NOWHERE);
        boolean came = (nowhere ? working : atPoint).await(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (came && !nowhere) {
            points.reached(point);
        }
        return came;
    }

    void died(boolean byPowerCut) {
        cut |= byPowerCut;
        unseen.add(end(byPowerCut));
        run.round();
    }

    private String end(boolean byPowerCut) {
        String standing = point.equals(PoolChild.Goal.NOWHERE) ? "" : " at " + point;
        return (byPowerCut ? "a power cut" : "a kill") + standing + " of " + source();
    }

    /** Opens the pool and looks. Says how much was left to the orphan scan. */
    int inspect() throws IOException, InterruptedException {
        if (unseen.isEmpty()) {
            return 0;
        }
        int left = new Inspection(run, history, String.join(" and ", unseen), cut, moved).of(place);
        unseen.clear();
        cut = false;
        moved = false;
        return left;
    }

    /** Does so where it lies now, on what a power cut would have left, while its own life stands still. */
    int inspectAfterCut() throws IOException, InterruptedException {
        List<String> after = new ArrayList<>(unseen);
        after.add(end(true));
        run.round();
        return new Inspection(run, history, String.join(" and ", after), true, moved).of(place);
    }

    void forget() throws IOException {
        place.forget();
    }
}
