package io.entrepot.pool.volume;

import io.entrepot.pool.Outage;
import org.jspecify.annotations.Nullable;

/** The storage under a volume did not do what was asked. */
public final class VolumeException extends Exception implements Outage {
    private final Kind kind;

    /** What is the matter, as far as the pool decides by it. */
    public enum Kind {
        /** No space left, or a quota of the storage is used up. */
        FULL,
        /** It can be read only. */
        READ_ONLY,
        /** No such blob. */
        MISSING,
        /** There is a blob of that path. */
        EXISTS,
        /** What is there is not the volume that was mounted: not mounted, or another one. */
        NOT_THE_VOLUME,
        /** No answer in time. */
        HANGS,
        /** It was closed meanwhile, and opened anew maybe: what was begun has come to nothing, which says nothing of the volume. */
        CLOSED,
        /** Anything else: an I/O error, missing permission. */
        BROKEN
    }

    public VolumeException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    @Override
    public boolean isOutage() {
        return kind == Kind.HANGS || kind == Kind.NOT_THE_VOLUME;
    }
}
