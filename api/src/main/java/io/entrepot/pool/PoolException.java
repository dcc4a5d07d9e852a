package io.entrepot.pool;

import io.entrepot.store.Advice;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the pool refuses or fails to do. The code is stable; the message says what happened, to which tenant and
 * file, and what to do; {@link #advice} whether the same call may succeed later, never will, or may have happened.
 */
public abstract sealed class PoolException extends RuntimeException
        permits DamagedFileException, DirectoryQuotaExceededException, FileAlreadyProcessingException,
        FileLeaseLostException, FileNotFoundException, FileStateException, IdempotencyConflictException,
        InsufficientStorageException, InvalidNameException, InvalidSettingException, NoFilesAvailableException,
        PoolUnavailableException, RequestRefusedException, ScanFailedException, StorageVolumeUnavailableException,
        TenantDisabledException,
        TenantExistsException, TenantNotFoundException, TenantQuotaExceededException, TenantSuspendedException,
        UnknownOutcomeException, UploadNotFoundException, UploadOffsetException, VolumeNotFoundException,
        WatcherNotFoundException {
    private final String code;
    private final Advice advice;

    /** What somebody else has told: a server, to its client. */
    record Told(String code, Advice advice, String message, long offset) {}

    PoolException(Told told) {
        this(told.code, told.advice, told.message, null);
    }

    PoolException(String code, Advice advice, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.advice = advice;
    }

    public String code() {
        return code;
    }

    public Advice advice() {
        return advice;
    }

    /**
     * The exception that was told elsewhere by its code, with the same words and advice: the same class as there. What has no
     * class of its own is a {@link RequestRefusedException}.
     *
     * @param offset of an upload; else 0
     */
    public static PoolException told(String code, Advice advice, String message, long offset) {
        Told told = new Told(code, advice, message, offset);
        if (code.equals("pool.unavailable") || code.startsWith("pool.unavailable.")) {
            return new PoolUnavailableException(told);
        }
        return switch (code) {
            case "pool.damaged-file" -> new DamagedFileException(told);
            case "pool.directory-quota-exceeded" -> new DirectoryQuotaExceededException(told);
            case "pool.file-already-processing" -> new FileAlreadyProcessingException(told);
            case "pool.lease-lost" -> new FileLeaseLostException(told);
            case "pool.file-not-found" -> new FileNotFoundException(told);
            case "pool.wrong-state" -> new FileStateException(told);
            case "pool.idempotency-conflict" -> new IdempotencyConflictException(told);
            case "pool.insufficient-storage" -> new InsufficientStorageException(told);
            case "pool.invalid-name" -> new InvalidNameException(told);
            case "pool.invalid-setting" -> new InvalidSettingException(told);
            case "pool.no-files-available" -> new NoFilesAvailableException(told);
            case "pool.scan-failed" -> new ScanFailedException(told);
            case "pool.volume-unavailable" -> new StorageVolumeUnavailableException(told);
            case "pool.tenant-disabled" -> new TenantDisabledException(told);
            case "pool.tenant-exists" -> new TenantExistsException(told);
            case "pool.tenant-not-found" -> new TenantNotFoundException(told);
            case "pool.tenant-quota-exceeded" -> new TenantQuotaExceededException(told);
            case "pool.tenant-suspended" -> new TenantSuspendedException(told);
            case "pool.outcome-unknown" -> new UnknownOutcomeException(told);
            case "pool.upload-not-found" -> new UploadNotFoundException(told);
            case "pool.upload-offset" -> new UploadOffsetException(told);
            case "pool.volume-not-found" -> new VolumeNotFoundException(told);
            case "pool.watcher-not-found" -> new WatcherNotFoundException(told);
            default -> new RequestRefusedException(told);
        };
    }
}
