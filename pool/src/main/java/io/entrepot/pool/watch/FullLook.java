package io.entrepot.pool.watch;

import io.entrepot.pool.job.JobRun;
import io.entrepot.scan.ScanReport;
import io.entrepot.scan.ScanRequest;
import io.entrepot.scan.Scanner;
import io.entrepot.scan.Visit;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Goes through all of a watched directory, and has what is there sorted. */
record FullLook(Site site, JobRun run, Sorter sorter) {

    /** @throws IOException if the watched directory cannot be read */
    ScanReport go(Scanner scanner) throws IOException, InterruptedException {
        int levels = site.spec().mode() instanceof WatchMode.ManyTenants ? 2 : 1;
        ScanRequest request = ScanRequest.of(site.tree().root()).withFilter(new Sieve(site.spec()).filter())
                .withPatience(site.config().patience())
                .withMaxDepth(site.spec().recursive() ? ScanRequest.ANY_DEPTH : levels);
        ScanReport report;
        try {
            report = scanner.scan(request, this::visit);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        report.problems().forEach(problem -> site.tally().skip(site.tree().root().relativize(problem.path()),
                SkipReason.UNREADABLE, problem.toString()));
        return report;
    }

    private void visit(Visit visit) throws InterruptedException {
        run.checkpoint();
        if (visit instanceof Visit.Listed(var listing)) {
            try {
                sorter.sort(site.tree().root().relativize(listing.directory()), listing.entries(), listing.seen());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
