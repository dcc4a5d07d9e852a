package io.entrepot.chaos.server;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.Crowd;
import io.entrepot.lab.FullDisk;
import io.entrepot.lab.HttpConnection;
import io.entrepot.lab.LabDisk;
import io.entrepot.lab.Nursery;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A disk that is full while clients store files, with the books on it too. Each upload is stored or refused with a clear problem; the
 * server goes on when there is room again; and what was acknowledged is there.
 */
final class FullDiskRounds {
    private static final int CLIENTS = 16;
    private static final int UPLOADS = 30;
    /** A body that is refused before it was read is cut off, and with it sometimes the answer; not if it is so small. */
    private static final int SMALL = 10_000;
    /** A pool keeps so many open to work in, and some to get there. */
    private static final int MOST_DIRECTORIES = 256 + RudeRounds.SLACK;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ChaosRun run;

    FullDiskRounds(ChaosRun run) {
        this.run = run;
    }

    void run() throws Exception {
        Optional<String> obstacle = LabDisk.obstacle();
        if (obstacle.isPresent()) {
            run.note("no full disk: " + obstacle.get());
            return;
        }
        run.progress().say("a full disk while uploading");
        try (Nursery nursery = Host.nursery(0);
                FullDisk disk = FullDisk.create(192L << 20);
                Host host = Host.of(nursery, disk.root().resolve("data"), Map.of(), Bug.NONE)) {
            host.begin();
            host.awaitServing();
            Map<String, Parcel> stored = new ConcurrentHashMap<>();
            round(host, disk, stored, 0);
            run.round();
            long[] first = RudeRounds.settled(host, Long.MAX_VALUE, Long.MAX_VALUE);
            List<String> before = host.opened();
            for (int round = 1; round < (run.shortForm() ? 2 : 10); round++) {
                round(host, disk, stored, round);
                run.round();
            }
            long[] last = RudeRounds.settled(host, first[0], first[1]);
            List<String> more = new ArrayList<>(host.opened());
            before.forEach(more::remove);
            run.check(last[0] <= first[0] + RudeRounds.SLACK && last[1] <= first[1] + RudeRounds.THREADS_SLACK,
                    () -> "handles or threads leak when the disk is full: " + first[0] + " and " + first[1] + ", then "
                            + last[0] + " and " + last[1] + "; " + more);
            List<String> directories = host.directories();
            run.check(
                    directories.size() <= MOST_DIRECTORIES
                            && directories.size() - new HashSet<>(directories).size() <= RudeRounds.SLACK,
                    () -> "too many directories are open, or the same too often: " + directories);
            run.note(last[0] + " handles, " + directories.size() + " directories and " + last[1]
                    + " threads after a full disk, " + first[0] + " handles and " + first[1]
                    + " threads before most of it");
        }
    }

    private void round(Host host, FullDisk disk, Map<String, Parcel> stored, int round) throws Exception {
        upload(host, stored, "before" + round, 3);
        disk.fill(run.random(round).nextInt(2 << 20));
        int refused = upload(host, stored, "full" + round, UPLOADS);
        run.check(refused > 0, () -> "nothing was refused although the disk was full");
        try (Caller caller = new Caller(host)) {
            run.check(caller.get("/health/live").status() == 200, () -> "a server with a full disk is not alive");
            disk.free();
            recover(caller, stored, round);
            for (Map.Entry<String, Parcel> one : stored.entrySet()) {
                HttpConnection.Answer got = caller
                        .get(Client.TENANT + "files/" + one.getKey() + "/content?verify=true");
                run.check(Arrays.equals(got.body(), one.getValue().content()), () -> one + " was lost: "
                        + got.status() + " " + got.body().length + " bytes");
            }
        }
    }

    /** Says how many were refused. */
    private int upload(Host host, Map<String, Parcel> stored, String name, int each) {
        Judge judge = new Judge(run);
        return Crowd.run(CLIENTS, client -> {
            int refused = 0;
            try (Caller caller = new Caller(host)) {
                for (int number = 0; number < each; number++) {
                    Parcel parcel = new Parcel(name + "x" + client, number, number % 3 == 0 ? 300_000 : 4_096);
                    try {
                        HttpConnection.Answer answer = store(caller, parcel);
                        judge.judge(answer, "an upload to a full disk");
                        if (answer.status() == 201) {
                            stored.put(key(answer), parcel);
                        } else {
                            refused++;
                        }
                    } catch (IOException e) {
                        refused++;
                        run.check(parcel.size() > SMALL, () -> "no answer, but " + e + ", for " + parcel);
                    }
                }
            }
            return refused;
        }).stream().mapToInt(Integer::intValue).sum();
    }

    private void recover(Caller caller, Map<String, Parcel> stored, int round) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Parcel parcel = new Parcel("after" + round, 1, 300_000);
        String last = "";
        while (System.nanoTime() - deadline < 0) {
            try {
                HttpConnection.Answer answer = store(caller, parcel);
                if (answer.status() == 201) {
                    stored.put(key(answer), parcel);
                    return;
                }
                last = answer.text();
            } catch (IOException e) {
                last = e.toString();
            }
            LockSupport.parkNanos(50_000_000);
        }
        String why = last;
        run.check(false, () -> "there is room again, and an upload is still refused: " + why);
    }

    private static HttpConnection.Answer store(Caller caller, Parcel parcel) throws IOException {
        return caller.ask("POST", Client.TENANT + "files?name=" + parcel.word(), parcel.content());
    }

    private static String key(HttpConnection.Answer answer) throws IOException {
        return Caller.json(answer).path("files").path(0).path("key").asText();
    }
}
