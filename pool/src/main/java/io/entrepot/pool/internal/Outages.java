package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.volume.VolumeException;
import java.util.Optional;

/**
 * Tells a failure of the storage from one of whoever works on a file: the volume is tried, also if it seemed well. Safe for use
 * by many threads.
 */
final class Outages {
    private final Parts parts;
    private final Views views;

    Outages(Parts parts, Views views) {
        this.parts = parts;
        this.views = views;
    }

    /** Why a file's bytes cannot be had now through no fault of its own; nothing if its volume works. */
    Optional<String> of(TenantRow tenant, FileKey key) throws InterruptedException {
        long number = views.requireWithRow(tenant, key).row().volume();
        try {
            MountedVolume volume = parts.volumes().reach(number);
            try {
                volume.backend().probe();
            } catch (VolumeException e) {
                parts.volumes().failed(volume, e);
                throw e;
            }
            return Optional.empty();
        } catch (VolumeException e) {
            return isOutage(e) ? Optional.of(String.valueOf(e.getMessage())) : Optional.empty();
        }
    }

    /** What is full, or can be read only, can be read. */
    private static boolean isOutage(VolumeException e) {
        return switch (e.kind()) {
            case NOT_THE_VOLUME, HANGS, CLOSED, BROKEN -> true;
            case FULL, READ_ONLY, MISSING, EXISTS -> false;
        };
    }
}
