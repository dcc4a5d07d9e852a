package io.entrepot.store.migration.broken;

import io.entrepot.store.Schema;

/** The same component, but its second script does not work. */
public final class Broken {

    private Broken() {}

    public static Schema upTo(int version) {
        return new Schema("fleet", Broken.class, version);
    }
}
