package io.entrepot.bench.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import io.entrepot.scan.Incremental;
import io.entrepot.scan.Listing;
import io.entrepot.scan.Remembered;
import io.entrepot.scan.Rotation;
import io.entrepot.scan.ScanReport;
import io.entrepot.scan.ScanRequest;
import io.entrepot.scan.Scanner;
import io.entrepot.scan.StorageClock;
import io.entrepot.scan.Visit;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Our scanner on a tree, with a memory of its own. Use from one thread. */
final class OurScan {
    /** An audit every ten minutes looks at everything within a day. */
    static final int TURNS = 144;

    private final FileTree tree;
    private final int threads;
    private final BootClock clock = BootClock.system();
    private final StorageClock storage = StorageClock.local(clock, Clock.systemUTC());
    private final Scanner scanner = new Scanner(FileCalls.system(), clock);
    private final Map<BytePath, Remembered> memory = new ConcurrentHashMap<>();
    private Rotation rotation = new Rotation(0, TURNS);
    private long stats;
    private long shares;
    private long passes;

    OurScan(FileTree tree, int threads) {
        this.tree = tree;
        this.threads = threads;
    }

    /** Each entry's size and time are read, as somebody would who wants them. */
    private static final class Sum {
        final LongAdder sizes = new LongAdder();
        final LongAdder times = new LongAdder();

        void add(Listing listing) {
            long size = 0;
            long time = 0;
            for (int i = 0; i < listing.size(); i++) {
                size += listing.size(i);
                time += listing.mtime(i);
            }
            sizes.add(size);
            times.add(time);
        }
    }

    /** How long a scan of everything takes, in seconds. */
    double full() throws IOException, InterruptedException {
        Sum sum = new Sum();
        ScanReport report = scanner.scan(request(), visit -> {
            if (visit instanceof Visit.Listed(Listing listing)) {
                sum.add(listing);
            }
        });
        if (!report.isWhole() || report.counts().files() != tree.files() || sum.times.sum() == 0) {
            throw new IllegalStateException("not all was seen: " + report);
        }
        return report.elapsed().toNanos() / 1e9;
    }

    /** Remembers the whole tree; whether by now all of it is old enough to be trusted. */
    boolean remember() throws IOException, InterruptedException {
        scanner.scan(request(), visit -> {
            if (visit instanceof Visit.Listed(Listing listing)) {
                Remembered.of(listing, storage.at(listing.seen().begin()))
                        .ifPresent(known -> memory.put(listing.directory(), known));
            }
        });
        ScanReport report = scanner.scan(incremental(new Rotation(0, Integer.MAX_VALUE)), _ -> {});
        return report.counts().silent() == tree.directories() + 1;
    }

    /** How long the next incremental pass over the unchanged tree takes, in seconds. */
    double again() throws IOException, InterruptedException {
        LongAdder share = new LongAdder();
        ScanReport report = scanner.scan(incremental(rotation), visit -> {
            if (visit instanceof Visit.Listed(Listing listing)) {
                share.add(listing.size());
            }
        });
        rotation = rotation.next();
        stats += report.counts().stats();
        shares += share.sum();
        passes++;
        return report.elapsed().toNanos() / 1e9;
    }

    /** Entries looked at in the incremental passes so far. */
    long stats() {
        return stats;
    }

    /** Entries of the directories whose turn it was in these passes. */
    long shares() {
        return shares;
    }

    long passes() {
        return passes;
    }

    private ScanRequest request() {
        return ScanRequest.of(BytePath.of(tree.root())).withThreads(threads);
    }

    private ScanRequest incremental(Rotation turn) {
        return request().withIncremental(Incremental.of(path -> Optional.ofNullable(memory.get(path)), turn));
    }
}
