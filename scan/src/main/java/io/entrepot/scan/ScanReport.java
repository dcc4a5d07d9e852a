package io.entrepot.scan;

import java.time.Duration;
import java.util.List;

/**
 * How a scan ended.
 *
 * @param cancelled whether it was ended before it had been everywhere
 * @param problems  the first of them; {@link ScanCounts#problems} says how many there were
 * @param hanging   where threads were left behind, as the storage does not answer them: they end when it does
 */
public record ScanReport(boolean cancelled, ScanCounts counts, Duration elapsed, List<Problem> problems,
        List<ScanProgress.Place> hanging) {

    public ScanReport {
        problems = List.copyOf(problems);
        hanging = List.copyOf(hanging);
    }

    /** Whether everything that was asked for has been seen. */
    public boolean isWhole() {
        return !cancelled && counts.problems() == 0;
    }
}
