package io.entrepot.pool;

import java.util.List;

/**
 * What compacting the databases has brought.
 *
 * @param databases  that were compacted: the main one and the shards
 * @param sizeBefore in bytes on disk, of those
 * @param problems   databases that could not be, and why
 */
public record CompactionResult(int databases, long sizeBefore, long sizeAfter, List<String> problems) {

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
