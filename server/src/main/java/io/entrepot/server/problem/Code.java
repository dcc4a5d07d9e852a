package io.entrepot.server.problem;

import java.util.Arrays;
import java.util.Optional;

/**
 * What can go wrong, with the HTTP status it is told as. Codes are stable. Those of the library ({@code pool.*}) are told as they
 * are; the table is in {@code docs/http.md}, compared by a test.
 */
public enum Code {
    MALFORMED_JSON("http.malformed-json", 400, "Not JSON"),
    UNKNOWN_FIELD("http.unknown-field", 400, "Unknown field"),
    UNKNOWN_PARAMETER("http.unknown-parameter", 400, "Unknown parameter"),
    INVALID_VALUE("http.invalid-value", 400, "Invalid value"),
    MISSING_VALUE("http.missing-value", 400, "Missing value"),
    BAD_REQUEST("http.bad-request", 400, "Not a request that can be understood"),
    BROKEN_BODY("http.broken-body", 400, "The body ended early"),
    BROKEN_FORM("http.broken-form", 400, "Not a form that can be read"),
    NOT_FOUND("http.not-found", 404, "No such address"),
    NO_SUCH_RESOURCE("http.no-such-resource", 404, "No such thing"),
    METHOD_NOT_ALLOWED("http.method-not-allowed", 405, "Method not allowed"),
    TIMEOUT("http.timeout", 408, "Too slow"),
    EXISTS("http.exists", 409, "Exists already"),
    PRECONDITION_FAILED("http.precondition-failed", 412, "Precondition failed"),
    TOO_LARGE("http.too-large", 413, "Too large"),
    UNSUPPORTED_MEDIA_TYPE("http.unsupported-media-type", 415, "Unsupported media type"),
    RANGE("http.range-not-satisfiable", 416, "Range not satisfiable"),
    HEADERS_TOO_LARGE("http.headers-too-large", 431, "Headers too large"),
    RATE_LIMITED("http.rate-limited", 429, "Too many requests"),
    BUSY("http.busy", 503, "Too much at once"),
    SHUTTING_DOWN("http.shutting-down", 503, "Shutting down"),
    INTERNAL("http.internal", 500, "Internal error"),

    INVALID_CONFIG("config.invalid", 422, "The configuration has mistakes"),

    TUS_VERSION("tus.wrong-version", 412, "Another version of tus is spoken here"),
    CHECKSUM_MISMATCH("tus.checksum-mismatch", 460, "The checksum is another"),
    UPLOAD_GONE("tus.upload-gone", 410, "The upload is gone"),
    UPLOAD_LOCKED("tus.upload-locked", 423, "The upload cannot be finished now"),

    NO_KEY("access.no-key", 401, "A key is needed"),
    INVALID_KEY("access.invalid-key", 401, "Not a valid key"),
    FORBIDDEN("access.forbidden", 403, "Not allowed"),
    TOO_MANY_FAILURES("access.too-many-failures", 429, "Too many failed authentications"),

    DAMAGED_FILE("pool.damaged-file", 500, "Damaged file"),
    DIRECTORY_QUOTA("pool.directory-quota-exceeded", 409, "The directory is full"),
    ALREADY_PROCESSING("pool.file-already-processing", 409, "Somebody has the file"),
    FILE_NOT_FOUND("pool.file-not-found", 404, "No such file"),
    IDEMPOTENCY_CONFLICT("pool.idempotency-conflict", 422, "The idempotency key was used for something else"),
    INSUFFICIENT_STORAGE("pool.insufficient-storage", 507, "No volume has room"),
    INVALID_NAME("pool.invalid-name", 400, "Invalid name"),
    INVALID_SETTING("pool.invalid-setting", 400, "Invalid setting"),
    LEASE_LOST("pool.lease-lost", 409, "The lease is lost"),
    NO_FILES("pool.no-files-available", 404, "No files"),
    OUTCOME_UNKNOWN("pool.outcome-unknown", 500, "It may or may not have happened"),
    SCAN_FAILED("pool.scan-failed", 503, "The directory cannot be looked at"),
    TENANT_DISABLED("pool.tenant-disabled", 409, "The tenant is disabled"),
    TENANT_EXISTS("pool.tenant-exists", 409, "There is such a tenant"),
    TENANT_NOT_FOUND("pool.tenant-not-found", 404, "No such tenant"),
    TENANT_QUOTA("pool.tenant-quota-exceeded", 409, "The tenant has reached its quota"),
    TENANT_SUSPENDED("pool.tenant-suspended", 409, "The tenant is suspended"),
    UNAVAILABLE("pool.unavailable", 503, "The database cannot do that now"),
    UPLOAD_NOT_FOUND("pool.upload-not-found", 404, "No such upload"),
    UPLOAD_OFFSET("pool.upload-offset", 409, "Not where the upload goes on"),
    VOLUME_NOT_FOUND("pool.volume-not-found", 404, "No such volume"),
    VOLUME_UNAVAILABLE("pool.volume-unavailable", 503, "No volume is there for it"),
    WATCHER_NOT_FOUND("pool.watcher-not-found", 404, "No such watcher"),
    WRONG_STATE("pool.wrong-state", 409, "Not in this state"),
    JOB_CANCELLED("pool.job-cancelled", 409, "The job was stopped"),
    JOB_EXISTS("pool.job-exists", 409, "There is such a job"),
    JOBS_CLOSED("pool.jobs-closed", 503, "Shutting down"),
    NO_SUCH_JOB("pool.no-such-job", 404, "No such job"),
    NO_DRY_RUN("pool.no-dry-run", 409, "The job has no dry run");

    private final String text;
    private final int status;
    private final String title;

    Code(String text, int status, String title) {
        this.text = text;
        this.status = status;
        this.title = title;
    }

    public String text() {
        return text;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** The one of that text, or of a beginning of it: {@code pool.unavailable.damaged} is a {@code pool.unavailable}. */
    public static Optional<Code> of(String text) {
        return Arrays.stream(values()).filter(code -> text.equals(code.text) || text.startsWith(code.text + "."))
                .findFirst();
    }
}
