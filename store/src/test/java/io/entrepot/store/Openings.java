package io.entrepot.store;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A program that opens the data directory it is given, says what came of it, and stays. */
final class Openings {

    private Openings() {}

    public static void main(String[] args) throws InterruptedException {
        try {
            DataDirectory.open(Path.of(args[0]), StoreConfig.of());
            System.out.println("opened");
        } catch (StoreException e) {
            System.out.println(e.code() + " " + e.getMessage());
        }
        new CountDownLatch(1).await();
    }
}
