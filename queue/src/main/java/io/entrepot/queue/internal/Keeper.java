package io.entrepot.queue.internal;

import io.entrepot.store.Store;

/**
 * The process that counts the terms of leases on items, in its memory. Beside each lease stands the number of its keeper.
 * Any process may end a lease, since the fence is checked in the database; only its keeper lets it run out.
 */
interface Keeper {

    /** What is written beside leases that are granted here. */
    long number();

    /** Whether nobody else can have begun to count what is counted here: as long as that is so, a renewal needs no commit. */
    boolean mayCount();

    /** From now on it does by itself what cannot wait. */
    void start();

    /** Does what is due: called often. */
    void tend();

    /** Nobody counts here any more. */
    void close();

    /** The only process there is. */
    static Keeper alone(Lanes lanes, Holds holds, Store store) {
        store.read(snapshot -> Held.of(snapshot, lanes, 0, Integer.MAX_VALUE)).forEach(held -> holds.add(held, true));
        return new Keeper() {
            @Override
            public long number() {
                return 0;
            }

            @Override
            public boolean mayCount() {
                return true;
            }

            @Override
            public void start() {
                // Nothing is urgent.
            }

            @Override
            public void tend() {
                // Nothing can change.
            }

            @Override
            public void close() {
                // Nobody waits for it.
            }
        };
    }
}
