package io.entrepot.store;

import java.util.Set;

/** Whose data is where: in one store for all, or for some owners in one of their own. Safe for use by many threads. */
public interface Stores {

    /** What belongs to no owner in particular, and everything of owners that have no store of their own. */
    Store main();

    /** Where this owner's data is. */
    Store store(Owner owner);

    /** The owners that have a store of their own. */
    Set<Owner> sharded();

    /** One store for everybody. */
    static Stores of(Store store) {
        return new Stores() {
            @Override
            public Store main() {
                return store;
            }

            @Override
            public Store store(Owner owner) {
                return store;
            }

            @Override
            public Set<Owner> sharded() {
                return Set.of();
            }
        };
    }
}
