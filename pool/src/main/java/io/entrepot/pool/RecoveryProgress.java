package io.entrepot.pool;

/**
 * How far a recovery is.
 *
 * @param doing   what it is at: a volume, a tenant, a shard; the same words until it is at the next
 * @param files   looked at there
 * @param rebuilt made anew so far, of all that it was at
 * @param bytes   that those have
 */
public record RecoveryProgress(String doing, long files, long rebuilt, long bytes) {
    static RecoveryProgress at(String doing) {
        return new RecoveryProgress(doing, 0, 0, 0);
    }
}
