package io.entrepot.pool.watch;

/** A watcher as it is in the books: what it is, and the number that its records know it by. */
record Rule(long number, WatcherSpec spec) {}
