package io.entrepot.pool.watch;

import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.JobRun;
import io.entrepot.scan.ScanReport;
import io.entrepot.scan.Scanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * A dry run of a watcher: a look at everything that imports nothing, and says what it would. Safe for use by the threads that
 * scan.
 */
final class Preview {
    private static final int TOLD = 20;

    private final Site site;
    private final JobRun run;
    private final LongAdder count = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final List<String> some = Collections.synchronizedList(new ArrayList<>());

    Preview(Site site, JobRun run) {
        this.site = site;
        this.run = run;
    }

    void add(Imports.Job job) {
        count.increment();
        bytes.add(job.entry().size());
        if (some.size() < TOLD) {
            some.add(job.path().toString());
        }
        run.progress(count.sum(), "would be imported");
    }

    /** @throws IOException if the watched directory cannot be read */
    JobResult look(Scanner scanner) throws IOException, InterruptedException {
        long now = site.parts().stores().main().read(snapshot -> snapshot.now());
        Sorter sorter = new Sorter(site, now, new Deeds.Counted(this));
        ScanReport report = new FullLook(site, run, sorter).go(scanner);
        return new JobResult("dry run: " + words() + skipped() + (report.isWhole()
                ? ""
                : "; not all of it could be looked at"));
    }

    private String words() {
        List<String> names = some.stream().limit(TOLD).sorted().toList();
        long others = count.sum() - names.size();
        return "would import " + count.sum() + " files with " + bytes.sum() + " bytes" + (names.isEmpty()
                ? ""
                : ": " + String.join(", ", names) + (others > 0 ? " and " + others + " more" : ""));
    }

    private String skipped() {
        Map<SkipReason, Long> skipped = site.tally().skipped();
        return skipped.isEmpty()
                ? ""
                : "; would leave "
                        + skipped.entrySet().stream().map(one -> one.getValue() + " (" + one.getKey().words() + ")")
                                .collect(Collectors.joining(", "));
    }
}
