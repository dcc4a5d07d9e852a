package io.entrepot.config;

import java.util.List;

/**
 * What comes of reading a configuration again while a program runs with another.
 *
 * @param configuration what it is to run with from now on: what can be changed is new, the rest is as it was
 * @param changed       what is new in it
 * @param waiting       what the file says otherwise, and will count after a restart only
 */
public record Reload<T>(Configuration<T> configuration, List<Difference> changed, List<Difference> waiting) {

    public Reload {
        changed = List.copyOf(changed);
        waiting = List.copyOf(waiting);
    }
}
