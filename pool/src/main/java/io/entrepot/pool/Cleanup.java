package io.entrepot.pool;

import io.entrepot.pool.internal.CleanupDesk;
import io.entrepot.pool.job.JobHandle;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Tidying up: what happens by itself, by hand. Each of these is a job, seen and stopped in {@link Pool#jobs}, and is never run
 * twice at a time. A dry run says what would be done and changes nothing. Every file, temporary file and orphan that goes is an
 * event that says why; directories are told together. Safe for use by many threads.
 */
public final class Cleanup {
    private final CleanupDesk desk;

    Cleanup(CleanupDesk desk) {
        this.desk = desk;
    }

    /** All that is done by itself every hour: see {@link CleanupConfig}. One part that fails does not stop the others. */
    public CleanupRun<CleanupReport> run(boolean dryRun) {
        return start(CleanupDesk.ALL, dryRun, Map.of());
    }

    /** Directories of volumes that hold nothing, but for the protected ones. */
    public CleanupRun<CleanupReport> emptyDirectories(boolean dryRun) {
        return start(CleanupDesk.EMPTY_DIRECTORIES, dryRun, Map.of());
    }

    public CleanupRun<CleanupReport> emptyDirectories(TenantId tenant, boolean dryRun) {
        return start(CleanupDesk.EMPTY_DIRECTORIES, dryRun, Map.of(CleanupDesk.TENANT, tenant.name()));
    }

    /** Files whose leases have run out go back to pending. That happens by itself; this does not wait for it. */
    public CleanupRun<CleanupReport> timedOutProcessing(boolean dryRun) {
        return start(CleanupDesk.TIMED_OUT, dryRun, Map.of());
    }

    /** The same, and files that their workers have had for longer than that are taken from them, renewed or not. */
    public CleanupRun<CleanupReport> timedOutProcessing(Duration timeout, boolean dryRun) {
        return start(CleanupDesk.TIMED_OUT, dryRun, age(timeout));
    }

    /** Files that have failed for good longer ago than that, with their bytes. */
    public CleanupRun<CleanupReport> permanentlyFailed(Duration olderThan, boolean dryRun) {
        return start(CleanupDesk.PERMANENTLY_FAILED, dryRun, age(olderThan));
    }

    /**
     * The same of one tenant, as an operator purges it; a duration of zero is all of them. It fails if there is no such tenant,
     * or it is disabled.
     */
    public CleanupRun<CleanupReport> permanentlyFailed(TenantId tenant, Duration olderThan, boolean dryRun) {
        return start(CleanupDesk.PERMANENTLY_FAILED, dryRun, age(tenant, olderThan));
    }

    /** Files that were completed and kept, longer ago than that. Their bytes go too, or to the export directory. */
    public CleanupRun<CleanupReport> completedRecords(Duration olderThan, boolean dryRun) {
        return start(CleanupDesk.COMPLETED, dryRun, age(olderThan));
    }

    /** The same of one tenant, as {@link #permanentlyFailed(TenantId, Duration, boolean)}. */
    public CleanupRun<CleanupReport> completedRecords(TenantId tenant, Duration olderThan, boolean dryRun) {
        return start(CleanupDesk.COMPLETED, dryRun, age(tenant, olderThan));
    }

    /**
     * Bytes on volumes that no file has. Nothing is touched that is younger than that by the storage's clock, was first seen by
     * us later than that ago (a dry run counts), or is just being written; so the first run most often only looks. Where
     * several processes may write it is ten minutes at least. Things that are not ours are counted and left.
     */
    public CleanupRun<CleanupReport> orphans(OrphanAction action, Duration olderThan, boolean dryRun) {
        return start(CleanupDesk.ORPHANS, dryRun, Map.of(CleanupDesk.ACTION, action.name(), CleanupDesk.OLDER_THAN,
                olderThan.toString()));
    }

    public CleanupRun<CleanupReport> orphans(TenantId tenant, OrphanAction action, Duration olderThan,
            boolean dryRun) {
        return start(CleanupDesk.ORPHANS, dryRun, Map.of(CleanupDesk.ACTION, action.name(), CleanupDesk.OLDER_THAN,
                olderThan.toString(), CleanupDesk.TENANT, tenant.name()));
    }

    /**
     * Files whose bytes are gone.
     *
     * @param remove takes them out of the books; their history is kept
     */
    public CleanupRun<CleanupReport> filesWithoutBytes(boolean remove, boolean dryRun) {
        return start(CleanupDesk.MISSING_BYTES, dryRun, Map.of(CleanupDesk.REMOVE, String.valueOf(remove)));
    }

    /** What was begun, is not part of an upload, and has not changed for longer than that. */
    public CleanupRun<CleanupReport> temporaryFiles(Duration olderThan, boolean dryRun) {
        return start(CleanupDesk.TEMPORARY_FILES, dryRun, age(olderThan));
    }

    /** What is remembered for longer than configured: files that are gone, idempotency keys, events. */
    public CleanupRun<CleanupReport> forgetOld(boolean dryRun) {
        return start(CleanupDesk.FORGET, dryRun, Map.of());
    }

    /** Databases give back space that they do not use. Others work meanwhile, with short waits. */
    public CleanupRun<CompactionResult> compact() {
        return compact(false);
    }

    /** The same. A dry run says how much about that would be, as far as that is known before. */
    public CleanupRun<CompactionResult> compact(boolean dryRun) {
        return new CleanupRun<>(desk.start(CleanupDesk.COMPACT, dryRun, Map.of()), CompactionResult.class);
    }

    /** Reads all files and compares them with their checksums, from the first one on. */
    public CleanupRun<ScrubReport> scrub() {
        return new CleanupRun<>(desk.start(CleanupDesk.SCRUB, false, Map.of(CleanupDesk.ANEW, "true")),
                ScrubReport.class);
    }

    /**
     * The same, but one that was cut short is gone on with, as it is when a scrub is due by itself. The report is of both then,
     * but for the list of damaged files, which is of this part.
     */
    public CleanupRun<ScrubReport> resumeScrub() {
        return new CleanupRun<>(desk.start(CleanupDesk.SCRUB, false, Map.of()), ScrubReport.class);
    }

    /** Of the last scrub since the pool was opened, if there was one. */
    public Optional<ScrubReport> lastScrub() {
        return desk.lastScrub();
    }

    /** Since the pool was opened. */
    public CleanupStatistics statistics() {
        return desk.statistics();
    }

    private CleanupRun<CleanupReport> start(String job, boolean dryRun, Map<String, String> parameters) {
        JobHandle handle = desk.start(job, dryRun, parameters);
        return new CleanupRun<>(handle, CleanupReport.class);
    }

    private static Map<String, String> age(Duration olderThan) {
        return Map.of(CleanupDesk.OLDER_THAN, olderThan.toString());
    }

    private static Map<String, String> age(TenantId tenant, Duration olderThan) {
        return Map.of(CleanupDesk.OLDER_THAN, olderThan.toString(), CleanupDesk.TENANT, tenant.name());
    }
}
