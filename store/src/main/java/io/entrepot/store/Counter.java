package io.entrepot.store;

import java.util.Objects;

/**
 * A number kept in step with the rows it counts: it changes only inside a transaction, and reading it never scans.
 * A name says what is counted, the id of what (a queue, a tenant).
 */
public record Counter(String name, long id) {

    public Counter {
        Objects.requireNonNull(name, "a counter has a name");
    }
}
