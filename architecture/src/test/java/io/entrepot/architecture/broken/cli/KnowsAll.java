package io.entrepot.architecture.broken.cli;

import io.entrepot.architecture.broken.lease.Name;
import io.entrepot.architecture.broken.pool.FileManager;
import io.entrepot.architecture.broken.queue.Prints;

public record KnowsAll(Name name, FileManager files, Prints queue) {
    /** Allowed at the edge: to look at the clock, and to print. */
    public void print() {
        System.out.println(System.nanoTime());
    }
}
