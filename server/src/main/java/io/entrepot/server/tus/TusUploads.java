package io.entrepot.server.tus;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadNotFoundException;
import io.entrepot.pool.UploadStatus;
import io.entrepot.server.http.LimitedStream;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.problem.Problems;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Uploads as tus sees them: with their metadata, with a length that may be told late, finished by themselves when the last byte is
 * there, and remembered when they are gone. Safe for use by many threads.
 */
public final class TusUploads {
    /** So long at least it is known of an upload that there was one. */
    private static final Duration REMEMBERED = Duration.ofDays(30);

    private final Pool pool;
    private final TusBook book;
    private final LongSupplier largest;

    /**
     * How far an upload is.
     *
     * @param length how many bytes it will have, if that was told by now
     */
    record Progress(UploadStatus status, String metadata, OptionalLong length) {
        boolean hasAll() {
            return length.isPresent() && length.getAsLong() == status.offset();
        }
    }

    /** @param largest how large a file may be */
    public TusUploads(Pool pool, LongSupplier largest) {
        this.pool = pool;
        this.book = new TusBook(pool.store());
        this.largest = largest;
    }

    long largest() {
        return largest.getAsLong();
    }

    UploadId begin(TenantId tenant, NewFile file, Metadata metadata) {
        UploadId upload = pool.uploads().begin(tenant, file);
        book.add(tenant, upload, metadata.raw());
        return upload;
    }

    /** @throws ProblemException if it is gone */
    Progress progress(TenantId tenant, UploadId upload) {
        Optional<TusBook.Row> row = book.find(tenant, upload);
        try {
            UploadStatus status = pool.uploads().status(tenant, upload);
            return new Progress(status, row.map(TusBook.Row::metadata).orElse(""), status.size().isPresent()
                    ? status.size()
                    : row.map(TusBook.Row::length).orElse(OptionalLong.empty()));
        } catch (UploadNotFoundException e) {
            throw row.isPresent() ? gone(tenant, upload) : e;
        }
    }

    private static ProblemException gone(TenantId tenant, UploadId upload) {
        return new ProblemException(Code.UPLOAD_GONE, "tenant " + tenant + " had an upload " + upload
                + ", which was cancelled or has expired; begin a new one");
    }

    /** Once told it stays. */
    Progress tellLength(Progress before, long length) {
        UploadStatus status = before.status;
        if (length > largest()) {
            throw LimitedStream.tooLarge(largest());
        }
        OptionalLong fixed = before.length.isPresent()
                ? before.length
                : length < status.offset()
                        ? OptionalLong.of(status.offset())
                        : book.tellLength(status.tenant(), status.id(), length);
        if (fixed.orElse(length) != length) {
            throw new ProblemException(Code.INVALID_VALUE, "\"" + Tus.LENGTH + "\": is " + length
                    + ", but " + (before.length.isPresent() ? "was told to be " : "there are already ")
                    + fixed.getAsLong());
        }
        return new Progress(status, before.metadata, OptionalLong.of(length));
    }

    /**
     * Adds a piece. What came is kept if the connection breaks or is too slow, unless the piece has a checksum, which cannot be
     * compared then.
     *
     * @param size of the piece, negative if that is not known
     * @return where the next piece belongs
     */
    long append(Progress progress, long offset, InputStream piece, long size, Optional<Checksum> checksum)
            throws InterruptedException {
        TenantId tenant = progress.status.tenant();
        UploadId upload = progress.status.id();
        long room = progress.length.orElse(largest()) - offset;
        if (size > room && offset == progress.status.offset()) {
            throw LimitedStream.tooLarge(Math.max(0, room));
        }
        InputStream limited = new LimitedStream(piece, Math.max(0, room));
        try {
            return checksum.isPresent()
                    ? pool.uploads().appendWhole(tenant, upload, offset, checksum.get().check(limited))
                    : pool.uploads().append(tenant, upload, offset, limited);
        } catch (UploadNotFoundException e) {
            throw gone(tenant, upload);
        } catch (IOException e) {
            long kept = progress(tenant, upload).status.offset();
            throw new ProblemException(Code.of(Problems.of(e).code()).orElse(Code.BROKEN_BODY),
                    "the body did not come to its end; " + kept + " bytes of the upload are kept, go on there",
                    io.entrepot.store.Advice.RETRY, Map.of("offset", kept));
        }
    }

    /** Makes it a file, if all is there. A repeated call gives the first answer. */
    Optional<StoredFile> finish(Progress progress) throws InterruptedException {
        if (progress.status.stored().isPresent() || !progress.hasAll()) {
            return progress.status.stored();
        }
        return Optional.of(pool.uploads().finish(progress.status.tenant(), progress.status.id()));
    }

    /**
     * For one who only looks: whoever has sent everything will not send more, so what was not finished then is finished now. If that
     * is refused the upload is locked, which tells clients to come again: otherwise they would throw away what they have sent.
     */
    Optional<StoredFile> finishOnLook(Progress progress) throws InterruptedException {
        try {
            return finish(progress);
        } catch (PoolException e) {
            throw new ProblemException(Code.UPLOAD_LOCKED, "all bytes have come, but they cannot be made a file now: "
                    + e.getMessage());
        }
    }

    /** Drops one that is not finished. */
    boolean cancel(Progress progress) throws InterruptedException {
        return progress.status.stored().isEmpty()
                && pool.uploads().cancel(progress.status.tenant(), progress.status.id());
    }

    /** What the pool has forgotten is forgotten here too, after a while. Says how many. */
    public long tidy() {
        return book.forget(REMEMBERED, row -> {
            try {
                return pool.uploads().status(row.tenant(), row.upload()).offset() >= 0;
            } catch (PoolException e) {
                return !(e instanceof UploadNotFoundException
                        || e instanceof io.entrepot.pool.TenantNotFoundException);
            }
        });
    }
}
