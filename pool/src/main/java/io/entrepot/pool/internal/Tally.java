package io.entrepot.pool.internal;

import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CleanupStatistics;
import io.entrepot.pool.job.JobCancelledException;
import io.entrepot.pool.job.JobRun;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What one run of cleaning has done so far. For one thread. */
final class Tally {
    private static final int TOLD = 100;

    private final JobRun run;
    private final Map<Count, Long> counts = new EnumMap<>(Count.class);
    private final List<String> details = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private long untold;

    /** What is counted. */
    enum Count {
        EMPTY_DIRECTORIES, COMPLETED, PERMANENTLY_FAILED, ORPHANS_REMOVED, ORPHANS_IMPORTED, LEASES_EXPIRED,
        TAKEN_FROM_WORKERS, TEMPORARY_FILES, WITHOUT_BYTES, WITHOUT_BYTES_REMOVED, STRAYS, FORGOTTEN, BYTES_FREED,
        DATABASE_BYTES
    }

    /** A part of the work, which may fail by itself. */
    interface Step {
        void take() throws Exception;
    }

    Tally(JobRun run) {
        this.run = run;
    }

    boolean isDryRun() {
        return run.isDryRun();
    }

    void checkpoint() {
        run.checkpoint();
    }

    void progress(long done, String text) {
        run.progress(done, text);
    }

    void progress(long done, long total, String text) {
        run.progress(done, total, text);
    }

    void add(Count count, long n) {
        if (n != 0) {
            counts.merge(count, n, Long::sum);
        }
    }

    void detail(String text) {
        if (details.size() < TOLD) {
            details.add(text);
        } else {
            untold++;
        }
    }

    void problem(String text) {
        if (problems.size() < TOLD) {
            problems.add(text);
        }
    }

    List<String> problems() {
        return problems;
    }

    /** What goes wrong in there is written down; what comes after it is done all the same. */
    void attempt(String what, Step step) throws InterruptedException {
        try {
            checkpoint();
            step.take();
        } catch (JobCancelledException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            problem(what + ": " + (e.getMessage() == null ? e.toString() : e.getMessage()));
        }
    }

    long count(Count count) {
        return counts.getOrDefault(count, 0L);
    }

    CleanupStatistics statistics() {
        return new CleanupStatistics(count(Count.EMPTY_DIRECTORIES), count(Count.COMPLETED),
                count(Count.PERMANENTLY_FAILED), count(Count.ORPHANS_REMOVED), count(Count.ORPHANS_IMPORTED),
                count(Count.LEASES_EXPIRED) + count(Count.TAKEN_FROM_WORKERS), count(Count.TEMPORARY_FILES),
                count(Count.WITHOUT_BYTES), count(Count.WITHOUT_BYTES_REMOVED), count(Count.STRAYS),
                count(Count.FORGOTTEN), count(Count.BYTES_FREED), count(Count.DATABASE_BYTES));
    }

    CleanupReport report() {
        List<String> told = new ArrayList<>(details);
        if (untold > 0) {
            told.add("and " + untold + " more");
        }
        return new CleanupReport(isDryRun(), statistics(), told, problems);
    }

    /** For people. */
    String words() {
        List<String> words = new ArrayList<>();
        counts.forEach((count, n) -> words.add(n + " " + count.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        String done = words.isEmpty() ? "nothing to do" : String.join(", ", words);
        return (isDryRun() ? "dry run: " : "") + done
                + (problems.isEmpty() ? "" : "; not done: " + String.join("; ", problems));
    }
}
