package io.entrepot.pool.volume;

import io.entrepot.pool.TenantId;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The directories of a volume that hold nothing, of those that blobs are put into: others are not ours. Removing one never
 * fails a blob that is being placed there.
 */
public interface EmptyDirectories {
    /** Where there are none, as directories are part of names. */
    EmptyDirectories NONE = new EmptyDirectories() {
        @Override
        public int removeAbove(BlobPath deleted, Predicate<String> isProtected, Consumer<String> removed) {
            return 0;
        }

        @Override
        public int removeAll(Optional<TenantId> tenant, Predicate<String> isProtected, boolean dryRun,
                Consumer<String> removed) {
            return 0;
        }
    };

    /**
     * Looks whether the directory of a blob that was deleted is empty now, and those above it; says how many went.
     *
     * @param removed is told each path that was removed, also if it fails then
     */
    int removeAbove(BlobPath deleted, Predicate<String> isProtected, Consumer<String> removed)
            throws VolumeException, InterruptedException;

    /**
     * Looks at all, or those of one tenant; never removes what is protected, given as paths from the volume's root.
     *
     * @param removed is told each path that was removed, or would be in a dry run
     */
    int removeAll(Optional<TenantId> tenant, Predicate<String> isProtected, boolean dryRun, Consumer<String> removed)
            throws VolumeException, InterruptedException;
}
