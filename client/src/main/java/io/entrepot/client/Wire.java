package io.entrepot.client;

import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileHistory;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.Labels;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.event.PoolEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The library's values, from what the server writes.
 *
 * @param sharedPaths paths on the server's machine are paths here
 */
record Wire(boolean sharedPaths) {

    StoredFile stored(Json json) {
        return new StoredFile(tenant(json), key(json), json.get("size").whole(),
                Sha256.parse(json.get("sha256").text()),
                json.get("created").truth());
    }

    FileInfo file(Json json) {
        Map<String, String> labels = new HashMap<>();
        json.get("labels").fields().forEach((name, value) -> labels.put(name, value.toString()));
        return new FileInfo(tenant(json), key(json), json.get("name").find(), json.get("extension").find().orElse(""),
                LogicalDirectory.of(json.get("directory").text()), json.get("size").whole(),
                Sha256.parse(json.get("sha256").text()), Labels.of(labels), at(json, "created"),
                json.get("modified").time(), json.get("volume").text(),
                sharedPaths ? json.get("path").find().map(Path::of) : Optional.empty(),
                Words.parse(FileStatus.class, json.get("status").text()), count(json, "priority"),
                count(json, "attempts"), count(json, "deliveries"), json.get("epoch").whole(),
                json.get("worker").find(), json.get("lastError").find(), json.get("lastFailedAt").time(),
                json.get("availableAt").time(), at(json, "since"), json.get("source").find(),
                json.get("unreadable").find());
    }

    ClaimedFile claimed(Json json) {
        return new ClaimedFile(file(json.get("file")), FileLease.parse(json.get("lease").text()),
                Duration.parse(json.get("term").text()));
    }

    FileHistory history(Json json) {
        return new FileHistory(tenant(json), key(json), json.get("name").find(), json.get("size").whole(),
                at(json, "created"),
                json.get("file").isMissing() ? Optional.empty() : Optional.of(file(json.get("file"))),
                json.get("goneAt").time()
                        .map(when -> new FileHistory.Gone(when, json.get("goneWhy").find().orElse(""))),
                json.get("entries").list().stream().map(one -> new HistoryEntry(at(one, "at"), one.get("what").text(),
                        one.get("epoch").whole(), one.get("worker").find(), one.get("note").find())).toList());
    }

    static PoolEvent event(Json json) {
        return new PoolEvent(json.get("store").text(), json.get("number").whole(), at(json, "at"),
                json.get("tenant").find().map(TenantId::new), json.get("type").text(), json.get("subject").text(),
                json.get("body").fields());
    }

    private static TenantId tenant(Json json) {
        return new TenantId(json.get("tenant").text());
    }

    private static FileKey key(Json json) {
        return FileKey.parse(json.get("key").text());
    }

    static Instant at(Json json, String name) {
        return Instant.parse(json.get(name).text());
    }

    private static int count(Json json, String name) {
        return Math.toIntExact(json.get(name).whole());
    }
}
