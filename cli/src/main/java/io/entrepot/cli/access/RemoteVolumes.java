package io.entrepot.cli.access;

import io.entrepot.client.Administration;
import io.entrepot.client.Json;
import io.entrepot.pool.Location;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeLoss;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.RunReport;
import java.time.Instant;
import java.util.List;

/** Volumes of a pool behind a server; their paths are those of its machine. */
record RemoteVolumes(Administration administration) implements VolumeAccess {

    @Override
    public List<VolumeInfo> list() {
        return administration.volumes().stream().map(RemoteVolumes::volume).toList();
    }

    @Override
    public VolumeInfo get(String name) {
        return volume(administration.volume(name));
    }

    @Override
    public VolumeInfo mount(VolumeSpec spec) {
        return volume(administration.mount(Json.object().with("name", spec.name()).with("path", spec.location())
                .with("depth", spec.depth()).with("headroom", spec.headroom()).with("spare", spec.spare())));
    }

    @Override
    public void unmount(String name) {
        administration.unmount(name);
    }

    @Override
    public VolumeInfo setReadOnly(String name) {
        return volume(administration.setVolumeState(name, "read-only"));
    }

    @Override
    public VolumeInfo activate(String name) {
        return volume(administration.setVolumeState(name, "active"));
    }

    @Override
    public VolumeInfo setSpare(String name) {
        return volume(administration.setVolumeState(name, "spare"));
    }

    @Override
    public VolumeInfo setHeadroom(String name, long bytes) {
        return volume(administration.changeVolume(name, Json.object().with("headroom", bytes)));
    }

    @Override
    public LongWork<RunReport> drain(String name) {
        return RemoteWork.goingOn(administration, administration.drain(name));
    }

    @Override
    public LongWork<VolumeLoss> giveUp(String name, boolean dryRun) {
        return RemoteWork.of(administration, administration.giveUp(name, dryRun), RemoteVolumes::loss);
    }

    private static VolumeLoss loss(Json json) {
        return new VolumeLoss(json.get("volume").text(), json.get("dryRun").truth(),
                json.get("tenants").list().stream().map(one -> new VolumeLoss.Loss(
                        new TenantId(one.get("tenant").text()), one.get("files").whole(), one.get("bytes").whole()))
                        .toList(),
                json.get("saved").whole(), json.get("uploads").whole(), json.get("unmounted").truth(),
                Constants.texts(json.get("problems").list()));
    }

    @Override
    public List<String> recount() {
        return administration.recountVolumes();
    }

    @Override
    public List<VolumeInfo> probe() {
        return administration.probe().stream().map(RemoteVolumes::volume).toList();
    }

    private static VolumeInfo volume(Json json) {
        return new VolumeInfo(json.get("name").text(), Location.parse(json.get("path").text()),
                Constants.parse(VolumeState.class, json.get("state")),
                Constants.parse(VolumeHealth.class, json.get("health")), json.get("problem").find(),
                json.get("total").whole(), json.get("free").whole(), json.get("inFlight").whole(),
                json.get("headroom").whole(), json.get("available").whole(), json.get("files").whole(),
                Math.toIntExact(json.get("depth").whole()), json.get("described").truth(),
                Instant.parse(json.get("mounted").text()));
    }
}
