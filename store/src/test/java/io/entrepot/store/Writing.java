package io.entrepot.store;

import java.nio.file.Path;

/**
 * A program that writes to the data directory it is given, with eight threads and without end. It says {@code id number}
 * for every write that was acknowledged, and is to be killed.
 */
final class Writing {
    static final Counter SEQUENCE = new Counter("writing.test", 1);

    private Writing() {}

    public static void main(String[] args) {
        long first = Long.parseLong(args[1]);
        Store store = DataDirectory.open(Path.of(args[0]), StoreConfig.of().withWalBytes(1 << 20)).main();
        store.write(Owner.SYSTEM, tx -> tx.update("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, n INTEGER)"));
        for (int i = 0; i < 8; i++) {
            long start = first + i;
            Thread.ofPlatform().start(() -> {
                for (long id = start; true; id += 8) {
                    System.out.println(id + " " + write(store, id));
                }
            });
        }
    }

    private static long write(Store store, long id) {
        return store.write(new Owner("o" + id % 8), tx -> {
            long n = tx.next(SEQUENCE, 1);
            tx.update("INSERT INTO t VALUES (?, ?)", id, n);
            tx.publish(Owner.SYSTEM, "written", String.valueOf(id), "x".repeat(200));
            return n;
        });
    }
}
