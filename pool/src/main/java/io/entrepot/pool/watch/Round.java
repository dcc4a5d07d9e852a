package io.entrepot.pool.watch;

import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.internal.TenantRow;
import io.entrepot.pool.job.JobRun;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.scan.Entry;
import io.entrepot.scan.Interval;
import io.entrepot.scan.ScanReport;
import io.entrepot.scan.Scanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One look of a watcher: at everything, or only at what is due. First what an earlier one has begun is finished. For one thread,
 * which the scanning threads work for meanwhile.
 */
final class Round implements AutoCloseable {
    private static final int MOST_DUE = 10_000;

    private final Site site;
    private final JobRun run;
    private final Scanner scanner;
    private final Endings endings;
    private final Sorter sorter;
    private final Workers workers;
    private final long now;

    Round(Site site, JobRun run, Scanner scanner, Set<BytePath> reportedTenants) {
        this.site = site;
        this.run = run;
        this.scanner = scanner;
        this.endings = new Endings(site);
        this.workers = new Workers(site.spec().maxConcurrentImports(), new Imports(site, endings), () -> {
            run.checkpoint();
            run.progress(site.tally().count(), "imported");
        });
        this.now = site.parts().stores().main().read(snapshot -> snapshot.now());
        this.sorter = new Sorter(site, now, new Deeds.Done(site, endings, reportedTenants, workers));
    }

    /** What was imported and is still to be removed or moved. */
    void finish() throws IOException, InterruptedException {
        for (Runnable leftover : endings.leftovers()) {
            workers.run(leftover);
        }
        workers.await();
    }

    /** Files that may have become complete, and failed ones whose time has come. */
    void lookAtDue() throws IOException, InterruptedException {
        Set<BytePath> due = new LinkedHashSet<>();
        long clock = site.config().platform().clock().nanos();
        site.stable().due(clock, MOST_DUE).forEach(path -> due.add(site.tree().root().relativize(path)));
        site.failures().due(now).forEach(failure -> due.add(failure.path()));
        for (BytePath path : due) {
            look(path);
        }
        workers.await();
    }

    private void look(BytePath path) throws IOException, InterruptedException {
        run.checkpoint();
        long begin = site.config().platform().clock().nanos();
        Name name = path.name().orElseThrow();
        Optional<Entry> entry;
        try {
            entry = entry(path, name);
        } catch (PosixException e) {
            site.stable().forget(site.absolute(path)); // a look at everything finds it again
            site.tally().skip(path, SkipReason.UNREADABLE, String.valueOf(e.getMessage()));
            return;
        }
        if (entry.isEmpty()) {
            site.stable().forget(site.absolute(path));
            site.failures().forget(Set.of(path));
            return;
        }
        BytePath directory = path.parent().orElse(BytePath.CURRENT);
        List<Entry> entries = new ArrayList<>(List.of(entry.get()));
        Optional<Name> marker = Sieve.rule(site.spec()).markerOf(name);
        if (marker.isPresent()) {
            entry(directory.resolve(marker.get()), marker.get()).ifPresent(entries::add);
        }
        sorter.sort(directory, entries, new Interval(begin, site.config().platform().clock().nanos()));
    }

    private Optional<Entry> entry(BytePath path, Name name) throws IOException, InterruptedException {
        return site.tree().find(path).map(stat -> entry(name, stat));
    }

    private static Entry entry(Name name, Stat stat) {
        return new Entry(name, stat.type(), Errno.NONE, stat.inode(), stat.device(), stat.links(), stat.size(),
                stat.mtime(), stat.ctime());
    }

    /** @throws IOException if the watched directory cannot be read */
    void lookAtEverything() throws IOException, InterruptedException {
        makeDirectories();
        ScanReport report = new FullLook(site, run, sorter).go(scanner);
        workers.await();
        if (report.isWhole()) {
            Set<BytePath> gone = new HashSet<>(site.failures().paths());
            gone.removeAll(sorter.seenFailures());
            gone.removeIf(path -> site.failures().find(path).filter(failure -> failure.at() >= now).isPresent());
            site.failures().forget(gone);
        }
        endings.tidy();
    }

    private void makeDirectories() throws IOException, InterruptedException {
        if (!(site.spec().mode() instanceof WatchMode.ManyTenants(boolean create)) || !create) {
            return;
        }
        for (TenantRow tenant : site.parts().tenants().all()) {
            if (tenant.tenant().status() == TenantStatus.ENABLED) {
                Name name = Name.of(tenant.id().name());
                Optional<Stat> there = site.tree().find(BytePath.CURRENT.resolve(name));
                if (there.isEmpty()) {
                    site.tree().make(name);
                } else if (there.get().type() != FileType.DIRECTORY) {
                    site.tally().skip(BytePath.CURRENT.resolve(name), SkipReason.NOT_A_FILE);
                }
            }
        }
    }

    /** Ends what was begun, and writes down what has ended. */
    @Override
    public void close() {
        try {
            workers.close();
        } finally {
            endings.flush();
        }
    }
}
