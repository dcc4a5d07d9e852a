package io.entrepot.chaos.pool;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.AotCache;
import io.entrepot.lab.ChildJvm;
import io.entrepot.lab.ChildSpec;
import io.entrepot.lab.Crowd;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDisk;
import io.entrepot.lab.Nursery;
import io.entrepot.lab.PowerCut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * The process that has pools open dies, again and again, by a kill or by a power cut of its disks: at a random moment, or while
 * each pool stands at a named point of a write, a commit, a keeper's round, an import or a move. After a death each pool is opened and
 * compared with everything that was acknowledged since it was new; sometimes only after the next process has met what was
 * left, and has died over it. The next process goes on with the same data.
 *
 * <p>A process takes longer to start than to be killed, so each has several pools, which know nothing of each other.
 */
final class CrashRounds {
    private static final int POOLS = 3;
    /** After so many deaths new pools are begun, so that a history stays small enough to be checked each time. */
    private static final int LIVES = 12;
    /** If a point was not reached: a few deaths more, and again. */
    private static final int MORE_LIVES = 3;
    private static final int MOST_MORE = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** With those who are sent once more to where nobody came in time: the machine may be busy. */
    private static final Duration MORE_PATIENCE = Duration.ofSeconds(15);
    private static final int LONGEST_LIFE_MICROS = 25_000;
    private static final long FIRST_BYTES = 160L << 20;
    private static final long SECOND_BYTES = 128L << 20;

    private final ChaosRun run;
    private final Bug bug;
    private final List<Death> deaths;
    private final Random random;
    private final Points points;
    private Duration patience = PATIENCE;
    private int leftovers;
    private int missed;

    /** How a process may die. */
    enum Death {
        KILL, POINT, CUT
    }

    CrashRounds(ChaosRun run, Bug bug, Death... deaths) {
        this.run = run;
        this.bug = bug;
        this.deaths = List.of(deaths);
        this.random = run.random(2);
        this.points = new Points(run.random(3));
    }

    void run() throws Exception {
        run.progress().say("preparing children");
        ChildSpec spec = AotCache.train(ChildSpec.of(PoolChild.class), List.of("train"));
        int deaths = Math.ceilDiv(run.rounds(210, 3_000), POOLS);
        try (Nursery nursery = Nursery.open(spec, 2)) {
            for (int done = 0; done < deaths; done += LIVES) {
                lives(nursery, Math.min(LIVES, deaths - done), done / LIVES);
            }
            patience = MORE_PATIENCE;
            for (int more = 0; bug == Bug.NONE && more < MOST_MORE && points.insist(); more++) {
                lives(nursery, MORE_LIVES, deaths + more);
            }
        }
        List<String> never = points.neverReached();
        run.check(never.isEmpty(), () -> "no pool came to " + never);
        run.note(leftovers + " files of writes cut short were left to the orphan scan; " + missed
                + " pools did not come to their point in time");
    }

    /** The two disks that pools are on. */
    private record Disks(LabDisk first, LabDisk second) {
        static Disks create() throws IOException {
            return new Disks(LabDisk.create(DiskOptions.forCuts().sized(FIRST_BYTES)),
                    LabDisk.create(DiskOptions.forCuts().sized(SECOND_BYTES)));
        }

        Disks cut() throws IOException {
            return new Disks(PowerCut.of(first), PowerCut.of(second));
        }

        void close() throws IOException {
            first.close();
            second.close();
        }
    }

    /** Some pools from their beginning through their deaths. */
    private void lives(Nursery nursery, int lives, int number) throws Exception {
        Disks disks = Disks.create();
        boolean canCut = disks.first.note().isEmpty();
        disks.first.note().ifPresent(note -> run.note(note + "; no power cuts"));
        List<Subject> subjects = new ArrayList<>();
        for (int i = 0; i < POOLS; i++) {
            subjects.add(new Subject(run, run.random(100L * number + i), points, bug, "p" + number + "-" + i));
        }
        try {
            for (int life = 1; life <= lives && !isFoundOut(); life++) {
                for (Subject subject : subjects) {
                    subject.lieOn(disks.first.root(), disks.second.root());
                }
                Death death = deaths.get(random.nextInt(deaths.size()));
                death = death == Death.CUT && !canCut ? Death.KILL : death;
                Disks after = life(nursery, disks, subjects, death);
                if (death == Death.CUT) {
                    disks.close();
                    disks = after;
                }
                inspect(subjects, disks, life == lives);
            }
        } finally {
            disks.close();
            for (Subject subject : subjects) {
                subject.forget();
            }
        }
    }

    private boolean isFoundOut() {
        return bug != Bug.NONE && run.isViolated();
    }

    private Disks life(Nursery nursery, Disks disks, List<Subject> subjects, Death death)
            throws IOException, InterruptedException {
        boolean stand = death == Death.POINT || (death == Death.CUT && random.nextBoolean());
        try (ChildJvm child = nursery.take()) {
            List<String> orders = new ArrayList<>();
            for (Subject subject : subjects) {
                orders.add(subject.live(stand).line());
            }
            child.listen(line -> subjects.get(line.charAt(0) - '0').heard(line.substring(2)));
            child.send(String.join(PoolChild.SEPARATOR, orders));
            if (random.nextInt(10) > 0) { // otherwise it dies while it opens its data
                for (Subject subject : subjects) {
                    missed += subject.await(patience) ? 0 : 1;
                }
            }
            LockSupport.parkNanos(random.nextInt(LONGEST_LIFE_MICROS) * 1_000L);
            if (!child.alive()) {
                run.check(false, () -> "a child died by itself" + child.lastWords());
            }
            Disks after = disks;
            if (death == Death.CUT) {
                child.stop();
                after = disks.cut();
            }
            child.kill9();
            subjects.forEach(subject -> subject.died(death == Death.CUT));
            return after;
        }
    }

    /** Pools know nothing of each other, so each is looked at by a thread of its own. */
    private void inspect(List<Subject> subjects, Disks disks, boolean last) {
        List<Subject> looked = subjects.stream().filter(_ -> last || random.nextInt(4) > 0).toList();
        leftovers += Crowd.run(looked.size(), number -> {
            Subject subject = looked.get(number);
            subject.lieOn(disks.first.root(), disks.second.root());
            return subject.inspect();
        }).stream().mapToInt(Integer::intValue).sum();
    }
}
