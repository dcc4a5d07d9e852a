package io.entrepot.server.pool;

import io.entrepot.pool.CheckReport;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CleanupStatistics;
import io.entrepot.pool.CompactionResult;
import io.entrepot.pool.ScrubReport;
import io.entrepot.pool.VolumeLoss;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import java.util.LinkedHashMap;
import java.util.Map;

/** What came of long work, as it is answered. */
final class Reports {
    static final Answer<CleanupStatistics> COUNTS = Answer.<CleanupStatistics>named("CleanupCounts")
            .with("emptyDirectoriesRemoved", Type.COUNT, "Directories.", CleanupStatistics::emptyDirectoriesRemoved)
            .with("completedRecordsRemoved", Type.COUNT, "Files that were completed and kept.",
                    CleanupStatistics::completedRecordsRemoved)
            .with("permanentlyFailedFilesRemoved", Type.COUNT, "Files that were given up.",
                    CleanupStatistics::permanentlyFailedFilesRemoved)
            .with("orphanedFilesRemoved", Type.COUNT, "Bytes without a file.", CleanupStatistics::orphanedFilesRemoved)
            .with("orphanedFilesImported", Type.COUNT, "The same, made files again.",
                    CleanupStatistics::orphanedFilesImported)
            .with("timedOutFilesReset", Type.COUNT, "Files whose leases ran out.",
                    CleanupStatistics::timedOutFilesReset)
            .with("temporaryFilesRemoved", Type.COUNT, "What was begun and never finished.",
                    CleanupStatistics::temporaryFilesRemoved)
            .with("filesWithoutBytes", Type.COUNT, "Found.", CleanupStatistics::filesWithoutBytes)
            .with("filesWithoutBytesRemoved", Type.COUNT, "Taken out.", CleanupStatistics::filesWithoutBytesRemoved)
            .with("strays", Type.COUNT, "Things on volumes that are not ours.", CleanupStatistics::strays)
            .with("recordsForgotten", Type.COUNT, "What was remembered for long enough.",
                    CleanupStatistics::recordsForgotten)
            .with("spaceFreed", Type.COUNT, "Bytes on volumes.", CleanupStatistics::spaceFreed)
            .with("databaseSpaceReclaimed", Type.COUNT, "Bytes of databases.",
                    CleanupStatistics::databaseSpaceReclaimed);
    private static final Answer<CleanupReport> CLEANUP = Answer.<CleanupReport>named("CleanupReport")
            .with("dryRun", Type.TRUTH, "Nothing was changed.", CleanupReport::dryRun)
            .with("counts", COUNTS.type(), "What was done.", CleanupReport::counts)
            .with("details", Type.TEXTS, "The first of what was found.", CleanupReport::details)
            .with("problems", Type.TEXTS, "What could not be done.", CleanupReport::problems);
    private static final Answer<CompactionResult> COMPACTION = Answer.<CompactionResult>named("CompactionReport")
            .with("databases", Type.COUNT, "How many.", CompactionResult::databases)
            .with("sizeBefore", Type.COUNT, "In bytes.", CompactionResult::sizeBefore)
            .with("sizeAfter", Type.COUNT, "In bytes; in a dry run: about.", CompactionResult::sizeAfter)
            .with("problems", Type.TEXTS, "What could not be done.", CompactionResult::problems)
            .with("dryRun", Type.TRUTH, "Nothing was changed.", CompactionResult::dryRun)
            .with("unknown", Type.COUNT, "In a dry run: of how many databases nobody knows before what it brings.",
                    CompactionResult::unknown);
    private static final Answer<ScrubReport.Damage> DAMAGE = Answer.<ScrubReport.Damage>named("Damage")
            .with("tenant", Type.TEXT, "Whose.", ScrubReport.Damage::tenant)
            .with("key", Type.TEXT, "Which file.", ScrubReport.Damage::key)
            .with("volume", Type.TEXT, "Where.", ScrubReport.Damage::volume)
            .with("why", Type.TEXT, "What is wrong.", ScrubReport.Damage::why);
    static final Answer<ScrubReport> SCRUB = Answer.<ScrubReport>named("ScrubReport")
            .with("started", Type.TIME, "When.", ScrubReport::started)
            .with("ended", Type.TIME, "When.", ScrubReport::ended)
            .with("files", Type.COUNT, "That were read.", ScrubReport::files)
            .with("bytes", Type.COUNT, "That were read.", ScrubReport::bytes)
            .with("damaged", Type.COUNT, "How many are.", ScrubReport::damaged)
            .with("damage", new Type.ListOf(DAMAGE.type()), "The first of them.", ScrubReport::damage)
            .with("problems", Type.TEXTS, "What could not be read.", ScrubReport::problems)
            .with("complete", Type.TRUTH, "It came to its end.", ScrubReport::complete);
    private static final Answer<CheckReport.Part> CHECK_PART = Answer.<CheckReport.Part>named("CheckPart")
            .with("what", Type.TEXT, "What was looked at.", CheckReport.Part::what)
            .with("looked", Type.COUNT, "How many there were.", CheckReport.Part::looked)
            .with("found", Type.COUNT, "How many problems there are.", CheckReport.Part::found)
            .with("problems", Type.TEXTS, "The first of them.", CheckReport.Part::problems);
    private static final Answer<CheckReport> CHECK = Answer.<CheckReport>named("CheckReport")
            .with("sound", Type.TRUTH, "There are no problems.", CheckReport::sound)
            .with("parts", new Type.ListOf(CHECK_PART.type()), "Part by part.", CheckReport::parts);

    private static final Answer<VolumeLoss.Loss> LOSS = Answer.<VolumeLoss.Loss>named("TenantLoss")
            .with("tenant", Type.TEXT, "Whose.", VolumeLoss.Loss::tenant)
            .with("files", Type.COUNT, "How many.", VolumeLoss.Loss::files)
            .with("bytes", Type.COUNT, "Their bytes.", VolumeLoss.Loss::bytes);
    private static final Answer<VolumeLoss> VOLUME_LOSS = Answer.<VolumeLoss>named("VolumeLoss")
            .with("volume", Type.TEXT, "Which one.", VolumeLoss::volume)
            .with("dryRun", Type.TRUTH, "Nothing was changed.", VolumeLoss::dryRun)
            .with("files", Type.COUNT, "That are lost.", VolumeLoss::files)
            .with("bytes", Type.COUNT, "That are lost.", VolumeLoss::bytes)
            .with("tenants", new Type.ListOf(LOSS.type()), "Whose they are.", VolumeLoss::tenants)
            .with("saved", Type.COUNT, "Files that are on other volumes now, as the database still had their bytes.",
                    VolumeLoss::saved)
            .with("uploads", Type.COUNT, "That were under way there.", VolumeLoss::uploads)
            .with("unmounted", Type.TRUTH, "It came to its end.", VolumeLoss::unmounted)
            .with("problems", Type.TEXTS, "What could not be looked at.", VolumeLoss::problems);

    private Reports() {}

    static Map<String, Object> of(CleanupReport report) {
        return CLEANUP.of(report);
    }

    static Map<String, Object> of(CompactionResult report) {
        return COMPACTION.of(report);
    }

    static Map<String, Object> of(ScrubReport report) {
        return SCRUB.of(report);
    }

    static Map<String, Object> of(VolumeLoss loss) {
        return VOLUME_LOSS.of(loss);
    }

    static Map<String, Object> of(CheckReport report) {
        return CHECK.of(report);
    }

    static Map<String, Object> of(Map<?, ?> report) {
        Map<String, Object> named = new LinkedHashMap<>();
        report.forEach((name, value) -> named.put(name.toString(), value));
        return named;
    }
}
