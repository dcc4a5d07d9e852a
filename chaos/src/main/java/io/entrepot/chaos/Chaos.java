package io.entrepot.chaos;

/** One way of making life hard, and of looking whether the promises held. Stateless: what a run needs and finds is in it. */
public interface Chaos {

    /** What a person types. */
    String name();

    /** One line for the list. */
    String what();

    /** Does it, and tells the run of rounds, checks and violations. An exception is a run that broke. */
    void run(ChaosRun run) throws Exception;
}
