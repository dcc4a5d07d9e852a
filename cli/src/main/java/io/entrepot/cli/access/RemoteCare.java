package io.entrepot.cli.access;

import io.entrepot.client.Administration;
import io.entrepot.client.Json;
import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.CheckReport;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CleanupStatistics;
import io.entrepot.pool.CompactionResult;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.ScrubReport;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.job.RunReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Care for a pool behind a server, which has a job for each of these. */
record RemoteCare(Administration administration) implements CareAccess {

    @Override
    public LongWork<CleanupReport> clean(CleanupStep step, CleanupStep.Order order) {
        Json wanted = step(Constants.of(step)).with("dryRun", order.dryRun()).with("olderThan", order.olderThan())
                .with("tenant", order.tenant()).with("action", order.orphans().map(Constants::of));
        return RemoteWork.of(administration, administration.startCleanup(order.remove()
                ? wanted.with("remove", true)
                : wanted), RemoteCare::cleanup);
    }

    @Override
    public CleanupStatistics statistics() {
        return counts(administration.cleanupFigures().get("counts"));
    }

    @Override
    public LongWork<CompactionResult> compact(boolean dryRun) {
        return RemoteWork.of(administration, administration.startCleanup(step("compact").with("dryRun", dryRun)),
                json -> new CompactionResult(Math.toIntExact(json.get("databases").whole()),
                        json.get("sizeBefore").whole(), json.get("sizeAfter").whole(), problems(json),
                        json.get("dryRun").truth(), Math.toIntExact(json.get("unknown").whole())));
    }

    @Override
    public LongWork<ScrubReport> scrub(boolean resume) {
        return RemoteWork.of(administration, administration.startCleanup(step("scrub").with("anew", !resume)),
                RemoteCare::scrub);
    }

    @Override
    public LongWork<CheckReport> check(CheckDepth depth) {
        return RemoteWork.of(administration, administration.startJob("check", false, Map.of("depth",
                Constants.of(depth))),
                json -> new CheckReport(json.get("parts").list().stream()
                        .map(part -> new CheckReport.Part(part.get("what").text(), part.get("looked").whole(),
                                problems(part), part.get("found").whole()))
                        .toList()));
    }

    @Override
    public LongWork<RunReport> backup(Path target) {
        return RemoteWork.goingOn(administration, administration.startBackup(target));
    }

    @Override
    public Optional<Duration> completedRetention() {
        return administration.cleanupFigures().get("completedRetention").find().map(Duration::parse);
    }

    private static Json step(String name) {
        return Json.object().with("step", name);
    }

    private static List<String> problems(Json json) {
        return Constants.texts(json.get("problems").list());
    }

    private static CleanupReport cleanup(Json json) {
        return new CleanupReport(json.get("dryRun").truth(), counts(json.get("counts")),
                Constants.texts(json.get("details").list()), problems(json));
    }

    private static CleanupStatistics counts(Json n) {
        return new CleanupStatistics(n.get("emptyDirectoriesRemoved").whole(),
                n.get("completedRecordsRemoved").whole(), n.get("permanentlyFailedFilesRemoved").whole(),
                n.get("orphanedFilesRemoved").whole(), n.get("orphanedFilesImported").whole(),
                n.get("timedOutFilesReset").whole(), n.get("temporaryFilesRemoved").whole(),
                n.get("filesWithoutBytes").whole(), n.get("filesWithoutBytesRemoved").whole(), n.get("strays").whole(),
                n.get("recordsForgotten").whole(), n.get("spaceFreed").whole(),
                n.get("databaseSpaceReclaimed").whole());
    }

    private static ScrubReport scrub(Json json) {
        return new ScrubReport(Instant.parse(json.get("started").text()), Instant.parse(json.get("ended").text()),
                json.get("files").whole(), json.get("bytes").whole(),
                json.get("damage").list().stream().map(one -> new ScrubReport.Damage(
                        new TenantId(one.get("tenant").text()), FileKey.parse(one.get("key").text()),
                        one.get("volume").text(), one.get("why").text())).toList(),
                json.get("damaged").whole(), problems(json), json.get("complete").truth());
    }
}
