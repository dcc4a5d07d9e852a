package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import java.util.List;

/**
 * What is to be done to the watches.
 *
 * @param leave  directories to watch no more, with all below; to be done first
 * @param watch  directories to watch, parents before children
 * @param report how it stands afterwards
 */
public record WatchPlan(List<BytePath> leave, List<BytePath> watch, WatchReport report) {

    public WatchPlan {
        leave = List.copyOf(leave);
        watch = List.copyOf(watch);
    }
}
