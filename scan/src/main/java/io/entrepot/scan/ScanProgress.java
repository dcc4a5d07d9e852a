package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import java.time.Duration;
import java.util.List;

/**
 * What a scan is doing.
 *
 * @param at one for each thread that is in a directory
 */
public record ScanProgress(ScanCounts counts, Duration elapsed, List<Place> at) {

    public ScanProgress {
        at = List.copyOf(at);
    }

    /**
     * Where a thread is.
     *
     * @param entries how many entries it has read there
     * @param since   for how long it has been there
     */
    public record Place(BytePath directory, long entries, Duration since) {}
}
