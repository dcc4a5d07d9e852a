package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.PosixException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Goes through trees of directories, each scan on threads of its own, and remembers nothing between them. Safe for use by
 * many threads, virtual ones too.
 * <p>
 * Threads of a scan that was cancelled because its storage does not answer stay until it does. So that dead storage does not
 * eat one thread after another, there is a limit to these, beyond which no scan is begun.
 */
public final class Scanner {
    /** Far more than a few dead mounts with a few threads each, far less than what hurts. */
    public static final int USUAL_MOST_STRANDED = 64;

    private final FileCalls calls;
    private final BootClock clock;
    private final int mostStranded;
    private final AtomicInteger stranded = new AtomicInteger();

    public Scanner(FileCalls calls, BootClock clock) {
        this(calls, clock, USUAL_MOST_STRANDED);
    }

    /**
     * @param mostStranded how many threads may be lost to storage that does not answer. Too few, and one dead mount stops the
     *                     scans of all others; too many, and each takes a megabyte of address space
     */
    public Scanner(FileCalls calls, BootClock clock, int mostStranded) {
        this.calls = calls;
        this.clock = clock;
        this.mostStranded = mostStranded;
    }

    /**
     * Scans, and waits for the end. An interrupt cancels the scan; whoever wants to know what was seen until then uses
     * {@link #start}.
     *
     * @throws PosixException    if the root cannot be opened
     * @throws StrandedException if too many threads hang from earlier scans
     */
    public ScanReport scan(ScanRequest request, ScanSink sink) throws PosixException, InterruptedException {
        try (Scan scan = start(request, sink)) {
            return scan.await();
        }
    }

    /** Begins a scan and does not wait. */
    public Scan start(ScanRequest request, ScanSink sink) {
        if (stranded.get() >= mostStranded) {
            throw new StrandedException(stranded.get());
        }
        Scan scan = new Scan(calls, clock, request, sink, stranded);
        scan.start();
        return scan;
    }

    /** How many threads wait for storage that does not answer, for scans that have ended without them. */
    public int stranded() {
        return stranded.get();
    }
}
