package io.entrepot.bench;

/** One measurement of one contestant: sets up what it needs, measures, cleans up, and returns the figure alone. */
@FunctionalInterface
public interface Trial {
    double measure() throws Exception;
}
