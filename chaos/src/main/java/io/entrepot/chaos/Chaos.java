package io.entrepot.chaos;

import java.util.Set;

/** One way of making life hard, and of looking whether the promises held. Stateless: what a run needs and finds is in it. */
public interface Chaos {

    /** What a person types. */
    String name();

    /** One line for the list. */
    String what();

    /** What it can be done to. */
    default Set<StoreKind> stores() {
        return Set.of(StoreKind.SQLITE);
    }

    /** Does it, and tells the run of rounds, checks and violations. An exception is a run that broke. */
    void run(ChaosRun run) throws Exception;
}
