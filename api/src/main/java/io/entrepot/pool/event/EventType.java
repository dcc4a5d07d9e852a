package io.entrepot.pool.event;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Everything that a pool tells. Of a type that is not here nothing is published; a test compares this with the sources and with
 * {@code docs/events.md}.
 */
public enum EventType {
    FILE_WRITTEN("file.written", "a file's key", "A file was stored, and is in its tenant's queue.", "size",
            "directory",
            "name", "source"),
    FILE_COMPLETED("file.completed", "a file's key", "A worker has completed it: it is gone, or kept.", "size", "why",
            "kept"),
    FILE_FAILED("file.failed", "a file's key", "A worker has failed; it is tried again.", "error"),
    FILE_FAILED_PERMANENTLY("file.failed-permanently", "a file's key",
            "It is given up: it failed too often or for good, or too many leases on it ran out.", "error"),
    FILE_LEASE_EXPIRED("file.lease-expired", "a file's key", "A worker's lease ran out; it is handed out again.",
            "error"),
    FILE_GIVEN_BACK("file.given-back", "a file's key", "A worker has given it back unprocessed."),
    FILE_PUT_OFF("file.put-off", "a file's key",
            "It could not be processed through no fault of its own; it is tried again later.", "why"),
    FILE_RESET("file.reset", "a file's key", "An operator has made it pending again; whoever had it has lost it."),
    FILE_RELEASED("file.released", "a file's key", "An operator has released it: it was rebuilt and held."),
    FILE_DELETED("file.deleted", "a file's key",
            "It was deleted by an operator, by cleanup or with its tenant; or its volume did not take it right after it was"
                    + " written, and its writer wrote it anew or was refused.",
            "size",
            "why"),
    FILE_DAMAGED("file.damaged", "a file's key", "Its bytes were found not to be those that were written.", "volume",
            "why"),
    FILE_LOST("file.lost", "a file's key", "Its bytes are gone, and nothing has them; or its volume was given up.",
            "size", "why"),
    FILE_REBUILT("file.rebuilt", "a file's key",
            "It is known again from what its bytes carried; it may be held until it is released.", "size", "volume",
            "was",
            "why"),
    FILE_ORPHAN_REMOVED("file.orphan-removed", "the key of the bytes", "Bytes that no file had were removed.", "volume",
            "size", "why"),
    FILE_NOT_REMOVED("file.not-removed", "the key of the bytes",
            "Bytes that nobody needs cannot be removed, although their volume works; that is tried every hour.",
            "volume",
            "path", "why"),
    FILE_MOVED("file.moved", "a file's key", "It was moved to another volume.", "from", "to"),
    UPLOAD_BEGUN("upload.begun", "the upload", "A file that comes in pieces was begun."),
    UPLOAD_CANCELLED("upload.cancelled", "the upload", "Somebody does not want it any more.", "size"),
    UPLOAD_EXPIRED("upload.expired", "the upload", "Its next piece did not come in time.", "size"),
    UPLOAD_DROPPED("upload.dropped", "the upload",
            "It could not be kept: the database was recovered, or its volume given up.", "size"),
    TENANT_CREATED("tenant.created", "the tenant", "There is a new tenant."),
    TENANT_ENABLED("tenant.enabled", "the tenant", "It may do everything."),
    TENANT_SUSPENDED("tenant.suspended", "the tenant", "It gets no new files and no claims."),
    TENANT_DISABLED("tenant.disabled", "the tenant", "Everything is refused to it."),
    TENANT_PAUSED("tenant.paused", "the tenant", "Its files are not handed out."),
    TENANT_RESUMED("tenant.resumed", "the tenant", "Its files are handed out again."),
    TENANT_LIMITS("tenant.limits", "the tenant", "How much it may have was changed."),
    TENANT_RETRY("tenant.retry", "the tenant", "Its rule for failed files was changed."),
    TENANT_DELETED("tenant.deleted", "the tenant", "It is gone, with all it had."),
    VOLUME_MOUNTED("volume.mounted", "the volume", "There is a new volume.", "path"),
    VOLUME_UNMOUNTED("volume.unmounted", "the volume", "It is no longer a volume of the pool."),
    VOLUME_ACTIVE("volume.active", "the volume", "It takes new files."),
    VOLUME_READ_ONLY("volume.read-only", "the volume", "It keeps what it has and takes nothing."),
    VOLUME_DRAINING("volume.draining", "the volume", "Its files are being moved to others."),
    VOLUME_DRAINED("volume.drained", "the volume", "All its files were moved to others.", "moved", "left", "why"),
    VOLUME_DRAIN_INCOMPLETE("volume.drain-incomplete", "the volume", "Draining has ended, and some files are left.",
            "moved", "left", "why"),
    VOLUME_DIRECTORIES_REMOVED("volume.directories-removed", "the volume",
            "Empty directories were removed: by cleanup, or together with the last file in them. Many are one event, which comes after the fact: if the process is killed in between there is none.",
            "directories", "why"),
    VOLUME_TEMPORARY_REMOVED("volume.temporary-removed", "the volume", "What was begun and never finished was removed.",
            "id", "size", "why"),
    VOLUME_SPARE("volume.spare", "the volume",
            "It keeps what it has, and takes new files only when the others have no room."),
    VOLUME_SPARE_ADDED("volume.spare-added", "the volume",
            "A spare takes files from now on, as the others had no room, or less than was said.",
            "available"),
    VOLUME_RECOUNTED("volume.recounted", "the database", "Counters of volumes were wrong there and were put right.",
            "corrections"),
    VOLUME_HEADROOM("volume.headroom", "the volume", "How much of it stays free was changed.", "headroom"),
    VOLUME_HEALTHY("volume.healthy", "the volume", "It works again."),
    VOLUME_UNWRITABLE("volume.unwritable", "the volume", "It can be read; writing fails.", "problem"),
    VOLUME_FAILED("volume.failed", "the volume", "It does not answer, or is not there.", "problem"),
    QUOTA_SET("quota.set", "the pattern", "A rule for directories was made or changed."),
    QUOTA_REMOVED("quota.removed", "the pattern", "A rule for directories is gone."),
    QUOTA_WARNING("quota.warning", "what runs full", "A tenant or directory has more than its soft limit.", "used",
            "limit", "percent"),
    QUOTA_RECOUNTED("quota.recounted", "the tenant", "Counters were wrong and were put right.", "corrections"),
    WATCHER_ADDED("watcher.added", "the watcher", "There is a new watcher."),
    WATCHER_CHANGED("watcher.changed", "the watcher", "Its settings were changed."),
    WATCHER_REMOVED("watcher.removed", "the watcher", "It is gone."),
    IMPORT_FAILED("import.failed", "the path of the source", "It could not be imported; it is tried again.", "watcher",
            "attempt", "error"),
    IMPORT_PARKED("import.parked", "the path of the source",
            "It failed too often, and is left until somebody has it tried again.", "watcher", "attempt", "error"),
    IMPORT_SKIPPED_TENANT("import.skipped-tenant", "the sub-directory",
            "It has no tenant's name; what is in it is not imported.", "watcher"),
    POOL_ROOM_SHORT("pool.room-short", "pool",
            "The disk of the database is short of room: nothing is added, what frees or finishes goes on.", "free",
            "headroom"),
    POOL_ROOM_ENOUGH("pool.room-enough", "pool", "The disk of the database has room again.", "free", "headroom"),
    POOL_COMPACTED("pool.compacted", "pool", "Databases gave back space that they did not use.", "databases", "before",
            "after"),
    POOL_RECOVERED("pool.recovered", "where the report is", "A database was damaged or gone, and was rebuilt.", "cause",
            "rebuilt", "held", "deleted", "lost", "unreadable", "unknown");

    private final String code;
    private final String subject;
    private final String meaning;
    @SuppressWarnings("ImmutableEnumChecker") // a copy
    private final List<String> body;

    EventType(String code, String subject, String meaning, String... body) {
        this.code = code;
        this.subject = subject;
        this.meaning = meaning;
        this.body = List.of(body);
    }

    /** As it is published. Stable. */
    public String code() {
        return code;
    }

    /** What the subject of such an event is. */
    public String subject() {
        return subject;
    }

    public String meaning() {
        return meaning;
    }

    /** What its body may have. */
    public List<String> body() {
        return body;
    }

    public static Optional<EventType> of(String code) {
        return Arrays.stream(values()).filter(type -> type.code.equals(code)).findFirst();
    }
}
