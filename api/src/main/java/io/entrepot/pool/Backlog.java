package io.entrepot.pool;

/**
 * What is durable in the database and not yet done on the volumes. It is small while all is well.
 *
 * @param redo   small files whose bytes wait for a volume's sync
 * @param doomed files that are gone and whose bytes are still there
 * @param stuck  those of them whose bytes cannot be removed although their volume works; tried every hour
 */
public record Backlog(long redo, long doomed, long stuck) {
    /** More than so many are not counted. */
    public static final long MOST = 100_000;
}
