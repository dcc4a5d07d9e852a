package io.entrepot.scan;

/**
 * Takes what a scan finds. Called by all scanning threads at once, so safe for use by many threads; a directory comes before
 * the directories below it, and there is no other order. While it blocks, the thread that called it scans nothing: so a slow
 * sink slows the scan down and nothing piles up. What it throws ends the scan.
 */
@FunctionalInterface
public interface ScanSink {

    /** @throws InterruptedException when it was waiting and the scan is cancelled, which interrupts its threads */
    void accept(Visit visit) throws InterruptedException;
}
