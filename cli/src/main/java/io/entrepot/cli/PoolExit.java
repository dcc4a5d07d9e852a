package io.entrepot.cli;

import io.entrepot.pool.DamagedFileException;
import io.entrepot.pool.DirectoryQuotaExceededException;
import io.entrepot.pool.FileAlreadyProcessingException;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileStateException;
import io.entrepot.pool.IdempotencyConflictException;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.NoFilesAvailableException;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.RequestRefusedException;
import io.entrepot.pool.ScanFailedException;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.TenantDisabledException;
import io.entrepot.pool.TenantExistsException;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.pool.TenantSuspendedException;
import io.entrepot.pool.UnknownOutcomeException;
import io.entrepot.pool.UploadNotFoundException;
import io.entrepot.pool.UploadOffsetException;
import io.entrepot.pool.VolumeNotFoundException;
import io.entrepot.pool.WatcherNotFoundException;
import io.entrepot.store.Advice;

/** The exit code for each way in which the pool says no. A new one must be given its code here, or nothing compiles. */
final class PoolExit {

    private PoolExit() {}

    /** Where the pool is in this process these are {@code JobException}s. */
    private static boolean isOfJobs(String code) {
        return code.equals("pool.no-such-job") || code.equals("pool.no-dry-run") || code.startsWith("pool.job");
    }

    static int of(PoolException e) {
        return switch (e) {
            case NoFilesAvailableException _ -> ExitCode.NOTHING;
            case FileLeaseLostException _ -> ExitCode.LEASE_LOST;
            case UnknownOutcomeException _ -> ExitCode.UNKNOWN;
            case InvalidNameException _ -> ExitCode.USAGE;
            case FileNotFoundException _,DamagedFileException _,ScanFailedException _,UploadNotFoundException _ ->
                ExitCode.FAILED;
            case PoolUnavailableException u ->
                u.code().endsWith(".in-use") || u.code().endsWith(".unreachable")
                        || u.code().endsWith(".disk-full")
                                ? ExitCode.UNAVAILABLE
                                : ExitCode.FAILED;
            case RequestRefusedException r when isOfJobs(r.code()) -> ExitCode.FAILED;
            case RequestRefusedException r -> r.advice() == Advice.RETRY ? ExitCode.UNAVAILABLE : ExitCode.REFUSED;
            case InsufficientStorageException _,StorageVolumeUnavailableException _ -> ExitCode.UNAVAILABLE;
            case DirectoryQuotaExceededException _,TenantQuotaExceededException _,TenantDisabledException _,TenantSuspendedException _,TenantNotFoundException _,TenantExistsException _,FileAlreadyProcessingException _,FileStateException _,IdempotencyConflictException _,InvalidSettingException _,UploadOffsetException _,VolumeNotFoundException _,WatcherNotFoundException _ ->
                ExitCode.REFUSED;
        };
    }
}
