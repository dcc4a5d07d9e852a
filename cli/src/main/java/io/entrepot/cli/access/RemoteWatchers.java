package io.entrepot.cli.access;

import io.entrepot.client.Administration;
import io.entrepot.client.Json;
import io.entrepot.pool.RequestRefusedException;
import io.entrepot.pool.ScanFailedException;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import io.entrepot.pool.watch.ParkedImport;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.pool.watch.WatcherStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Watch folders of a pool behind a server. */
record RemoteWatchers(Administration administration) implements WatcherAccess {
    /** A request that waits is a connection: not for too long at a time. */
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration BEFORE = Duration.ofSeconds(1);

    @Override
    public List<WatcherSpec> list() {
        return administration.watchers().stream().map(WatcherWire::spec).toList();
    }

    @Override
    public WatcherSpec get(WatcherId id) {
        return WatcherWire.spec(administration.watcher(id.name()));
    }

    @Override
    public WatcherStatus status(WatcherId id) {
        return WatcherWire.status(administration.watcher(id.name()));
    }

    @Override
    public Added add(WatcherSpec spec) {
        Json added = administration.addWatcher(WatcherWire.written(spec, true));
        return new Added(WatcherWire.spec(added), added.get("made").truth());
    }

    @Override
    public WatcherSpec update(WatcherSpec spec) {
        return WatcherWire.spec(administration.changeWatcher(spec.id().name(), WatcherWire.written(spec, false)));
    }

    @Override
    public WatcherSpec setEnabled(WatcherId id, boolean enabled) {
        return WatcherWire.spec(administration.changeWatcher(id.name(), Json.object().with("enabled", enabled)));
    }

    @Override
    public void remove(WatcherId id) {
        administration.removeWatcher(id.name());
    }

    /** If it looks already, that may have passed by what has come since: so once more after it. */
    @Override
    public void scan(WatcherId id) throws InterruptedException {
        Optional<LongWork<RunReport>> mine = started(id);
        while (mine.isEmpty()) {
            Json _ = administration.awaitJob(id.job().name(), BEFORE);
            mine = started(id);
        }
        RunReport ended = end(mine.get());
        if (ended.state() != JobState.DONE) {
            throw new ScanFailedException(id.name(), ended.error().orElse("it was stopped"));
        }
    }

    /** Empty if it looks already. */
    private Optional<LongWork<RunReport>> started(WatcherId id) {
        try {
            return Optional.of(RemoteWork.of(administration, administration.startScan(id.name())));
        } catch (RequestRefusedException e) {
            if (e.code().equals(RemoteJobs.RUNS_ALREADY)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static RunReport end(LongWork<RunReport> work) throws InterruptedException {
        Optional<RunReport> ended = work.await(LOOK);
        while (ended.isEmpty()) {
            ended = work.await(LOOK);
        }
        return ended.get();
    }

    @Override
    public void stopScan(WatcherId id) {
        Json _ = administration.cancelJob(id.job().name());
    }

    @Override
    public List<ParkedImport> parked(WatcherId id) {
        return administration.parked(id.name()).get("parked").list().stream().map(json -> new ParkedImport(
                json.get("path").text(), json.get("tenant").text(), json.get("size").whole(),
                Math.toIntExact(json.get("attempts").whole()), json.get("error").text(),
                Instant.parse(json.get("at").text()))).toList();
    }

    @Override
    public boolean retry(WatcherId id, String path) {
        return administration.retryParked(id.name(), path).get("count").whole() > 0;
    }

    @Override
    public int retryAll(WatcherId id) {
        return Math.toIntExact(administration.retryParked(id.name()).get("count").whole());
    }
}
