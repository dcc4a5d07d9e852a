package io.entrepot.pool;

import java.util.List;

/**
 * What compacting the databases has brought, or would bring.
 *
 * @param databases  that were compacted: the main one and the shards
 * @param sizeBefore in bytes on disk, of those
 * @param sizeAfter  in a dry run: about
 * @param problems   databases that could not be, and why
 * @param dryRun     nothing was changed
 * @param unknown    in a dry run: of how many of the databases nobody knows before what it brings, and none is counted. That is so
 *                   on PostgreSQL
 */
public record CompactionResult(int databases, long sizeBefore, long sizeAfter, List<String> problems, boolean dryRun,
        int unknown) {

    public CompactionResult {
        problems = List.copyOf(problems);
    }

    public long spaceReclaimed() {
        return Math.max(0, sizeBefore - sizeAfter);
    }

    public double percentReclaimed() {
        return sizeBefore == 0 ? 0 : spaceReclaimed() * 100.0 / sizeBefore;
    }
}
