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
        PoolUnavailableException, ScanFailedException, StorageVolumeUnavailableException, TenantDisabledException,
        TenantExistsException, TenantNotFoundException, TenantQuotaExceededException, TenantSuspendedException,
        UnknownOutcomeException, UploadNotFoundException, UploadOffsetException {
    private final String code;
    private final Advice advice;

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
}
