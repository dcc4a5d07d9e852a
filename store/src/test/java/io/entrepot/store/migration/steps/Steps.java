package io.entrepot.store.migration.steps;

import io.entrepot.store.Schema;

/** A component whose scripts beside this class lead to version 2. */
public final class Steps {

    private Steps() {}

    public static Schema upTo(int version) {
        return new Schema("fleet", Steps.class, version);
    }
}
