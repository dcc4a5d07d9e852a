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
 * <p>A process takes longer to start than to be killed. So each has several pools, which know nothing of each other; and most
 * power cuts are looked at while it lives: it is stopped, a cut is made of its disks, the pools on what the cut has left are compared with what
 * was acknowledged so far, and then it goes on with its own disks as if nothing had happened.
 */
final class CrashRounds {
    private static final int POOLS = 3;
    /** After so many crashes new pools are begun, so that a history stays small enough to be checked each time. */
    private static final int CRASHES = 8;
    private static final int MOST_CUTS_IN_A_LIFE = 6;
    /** If a point was not reached: a few crashes more, and again. */
    private static final int MORE_CRASHES = 3;
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
    private int kills;
    private int cuts;
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
        int crashes = Math.ceilDiv(run.rounds(210, 3_000), POOLS);
        try (Nursery nursery = Nursery.open(spec, 1)) {
            for (int done = 0; done < crashes; done += CRASHES) {
                lives(nursery, Math.min(CRASHES, crashes - done), done / CRASHES);
            }
            patience = MORE_PATIENCE;
            for (int more = 0; bug == Bug.NONE && more < MOST_MORE && points.insist(); more++) {
                lives(nursery, MORE_CRASHES, crashes + more);
            }
        }
        List<String> never = points.neverReached();
        run.check(never.isEmpty(), () -> "no pool came to " + never);
        run.note(kills + " kills and " + cuts + " power cuts of pools");
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

    /** Some pools from their beginning through all that happens to them. */
    private void lives(Nursery nursery, int crashes, int number) throws Exception {
        Disks disks = Disks.create();
        boolean canCut = disks.first.note().isEmpty();
        disks.first.note().ifPresent(note -> run.note(note + "; no power cuts"));
        List<Subject> subjects = new ArrayList<>();
        for (int i = 0; i < POOLS; i++) {
            subjects.add(new Subject(run, run.random(100L * number + i), points, bug, "p" + number + "-" + i));
        }
        try {
            for (int left = crashes; left > 0 && !isFoundOut();) {
                lieOn(subjects, disks);
                Death death = deaths.get(random.nextInt(deaths.size()));
                death = death == Death.CUT && !canCut ? Death.KILL : death;
                int looks = canCut && deaths.contains(Death.CUT)
                        ? Math.min(random.nextInt(MOST_CUTS_IN_A_LIFE + 1), left - 1)
                        : 0;
                Disks after = life(nursery, disks, subjects, looks, death);
                if (death == Death.CUT) {
                    disks.close();
                    disks = after;
                }
                left -= looks + 1;
                boolean last = left == 0;
                lieOn(subjects, disks);
                inspect(subjects.stream().filter(_ -> last || random.nextInt(4) > 0).toList(), Subject::inspect);
            }
        } finally {
            disks.close();
            for (Subject subject : subjects) {
                subject.forget();
            }
        }
    }

    private static void lieOn(List<Subject> subjects, Disks disks) throws IOException {
        for (Subject subject : subjects) {
            subject.lieOn(disks.first.root(), disks.second.root());
        }
    }

    private boolean isFoundOut() {
        return bug != Bug.NONE && run.isViolated();
    }

    /** With so many looks at what a cut would leave before it ends. The disks are others only after a cut at its end. */
    private Disks life(Nursery nursery, Disks disks, List<Subject> subjects, int looks, Death death)
            throws IOException, InterruptedException {
        try (ChildJvm child = nursery.take()) {
            child.listen(line -> subjects.get(line.charAt(0) - '0').heard(line.substring(2)));
            boolean first = true;
            for (int left = looks; left >= 0 && !isFoundOut(); left--) {
                boolean stand = (left == 0 && death != Death.CUT) ? death == Death.POINT : random.nextBoolean();
                List<String> orders = new ArrayList<>();
                for (Subject subject : subjects) {
                    orders.add(first ? subject.live(stand).line() : subject.goOn(stand).line());
                }
                first = false;
                child.send(String.join(PoolChild.SEPARATOR, orders));
                await(child, subjects);
                if (left > 0) {
                    lookAtCut(child, disks, subjects);
                }
            }
            Disks after = disks;
            if (death == Death.CUT) {
                child.stop();
                after = disks.cut();
                cuts += POOLS;
            } else {
                kills += POOLS;
            }
            child.kill9();
            subjects.forEach(subject -> subject.died(death == Death.CUT));
            return after;
        }
    }

    private void await(ChildJvm child, List<Subject> subjects) throws InterruptedException {
        if (random.nextInt(10) > 0) { // otherwise it is soon over, perhaps while data is opened
            for (Subject subject : subjects) {
                missed += subject.await(patience) ? 0 : 1;
            }
        }
        LockSupport.parkNanos(random.nextInt(LONGEST_LIFE_MICROS) * 1_000L);
        if (!child.alive()) {
            run.check(false, () -> "a child died by itself" + child.lastWords());
        }
    }

    /** While it is stopped its pools lie on other disks, of which it does not know. */
    private void lookAtCut(ChildJvm child, Disks disks, List<Subject> subjects)
            throws IOException, InterruptedException {
        child.stop();
        child.hearOut();
        Disks after = disks.cut();
        cuts += POOLS;
        try {
            lieOn(subjects, after);
            inspect(subjects, Subject::inspectAfterCut);
        } finally {
            lieOn(subjects, disks);
            after.close();
        }
        child.cont();
    }

    private interface Look {
        int at(Subject subject) throws IOException, InterruptedException;
    }

    /** Pools know nothing of each other, so each is looked at by a thread of its own. */
    private void inspect(List<Subject> subjects, Look look) {
        leftovers += Crowd.run(subjects.size(), number -> look.at(subjects.get(number))).stream()
                .mapToInt(Integer::intValue).sum();
    }
}
