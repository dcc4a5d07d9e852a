package io.entrepot.bench;

/** One thing that is measured, with its peers and limits. Stateless: what a run needs and finds is in the run. */
public interface Bench {

    /** What a person types. */
    String name();

    /** One line for the list of benches. */
    String measures();

    /** Measures, and puts rows, goals and notes into the run. */
    void run(BenchRun run) throws Exception;
}
