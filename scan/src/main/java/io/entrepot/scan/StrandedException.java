package io.entrepot.scan;

/** No scan was begun, as too many threads of earlier ones hang in storage. Try again when some of it answers. */
public final class StrandedException extends RuntimeException {
    private final int threads;

    StrandedException(int threads) {
        super(threads + " threads of earlier scans wait for storage that does not answer; look at that storage");
        this.threads = threads;
    }

    public int threads() {
        return threads;
    }
}
