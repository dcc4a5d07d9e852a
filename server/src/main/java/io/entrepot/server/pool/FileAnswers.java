package io.entrepot.server.pool;

import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.StoredFile;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import java.nio.file.Path;
import java.util.Optional;

/** Files as they are answered. */
final class FileAnswers {
    /** A file, and whether whoever asks may know where its bytes are. */
    record Seen(FileInfo file, boolean withPath) {
        Optional<Path> path() {
            return withPath ? file.path() : Optional.empty();
        }

        /** The reason may name places of the server's machine. */
        Optional<String> unreadable() {
            return withPath ? file.unreadable() : file.unreadable().map(_ -> "its volume does not work");
        }
    }

    static final Answer<StoredFile> STORED = Answer.<StoredFile>named("StoredFile")
            .with("tenant", Type.TEXT, "Whose it is.", StoredFile::tenant)
            .with("key", Type.TEXT, "Its key, by which it is called from now on.", StoredFile::key)
            .with("size", Type.COUNT, "In bytes.", StoredFile::size)
            .with("sha256", Type.TEXT, "The checksum of its bytes, in hex.", StoredFile::sha256)
            .with("created", Type.TRUTH, "False if an earlier request with the same idempotency key had stored it.",
                    StoredFile::created);

    static final Answer<Seen> FILE = Answer.<Seen>named("File")
            .with("tenant", Type.TEXT, "Whose it is.", seen -> seen.file.tenant())
            .with("key", Type.TEXT, "Its key.", seen -> seen.file.key())
            .maybe("name", Type.TEXT, "The name it came with.", seen -> seen.file.name())
            .with("extension", Type.TEXT, "As it is on the volume, with its dot; empty if none was kept.",
                    seen -> seen.file.extension())
            .with("directory", Type.TEXT, "Its logical directory.", seen -> seen.file.directory())
            .with("size", Type.COUNT, "In bytes.", seen -> seen.file.size())
            .with("sha256", Type.TEXT, "The checksum of its bytes, in hex.", seen -> seen.file.sha256())
            .with("labels", new Type.MapOf(Type.TEXT), "What a user has written on it.", seen -> seen.file.labels()
                    .all())
            .with("created", Type.TIME, "When it came.", seen -> seen.file.created())
            .maybe("modified", Type.TIME, "When its source was last changed, as far as is known.", seen -> seen.file
                    .modified())
            .with("volume", Type.TEXT, "Where its bytes are.", seen -> seen.file.volume())
            .maybe("path", Type.TEXT, "The same on the server's machine; for administrators.", Seen::path)
            .with("status", Type.choice(FileStatus.class), "Where it stands.", seen -> seen.file.status())
            .with("since", Type.TIME, "Since when.", seen -> seen.file.since())
            .with("priority", Type.WHOLE, "Higher goes first.", seen -> seen.file.priority())
            .with("attempts", Type.COUNT, "How often it was failed.", seen -> seen.file.attempts())
            .with("deliveries", Type.COUNT, "How often a lease on it ran out.", seen -> seen.file.deliveries())
            .with("epoch", Type.COUNT, "How often it was handed out.", seen -> seen.file.epoch())
            .maybe("worker", Type.TEXT, "Who has it.", seen -> seen.file.worker())
            .maybe("lastError", Type.TEXT, "Why it failed last.", seen -> seen.file.lastError())
            .maybe("lastFailedAt", Type.TIME, "When it failed last.", seen -> seen.file.lastFailedAt())
            .maybe("availableAt", Type.TIME, "When it can be handed out, if that is later than now.", seen -> seen.file
                    .availableAt())
            .maybe("source", Type.TEXT, "Where it came from.", seen -> seen.file.source())
            .maybe("unreadable", Type.TEXT,
                    "Why its bytes cannot be read now: its volume has failed, or is not mounted.",
                    Seen::unreadable);

    /** A file that was handed out, as its worker sees it. */
    record Claimed(ClaimedFile claimed, boolean withPath) {}

    static final Answer<Claimed> CLAIMED = Answer.<Claimed>named("ClaimedFile")
            .with("file", FILE.type(), "The file.", it -> new Seen(it.claimed.file(), it.withPath))
            .with("lease", Type.TEXT, "The right to work on it: to be sent, as it is, with every later step.",
                    it -> it.claimed.lease())
            .with("term", Type.DURATION, "How long that lasts without renewal.", it -> it.claimed.term());

    private FileAnswers() {}
}
