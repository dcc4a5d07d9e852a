package io.entrepot.store;

import java.time.Duration;

/** What compaction did: sizes in bytes on disk, and the longest time that it kept other work waiting. */
public record CompactionReport(long before, long after, Duration longestStep) {

    public long reclaimed() {
        return Math.max(0, before - after);
    }
}
