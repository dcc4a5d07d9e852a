package io.entrepot.cli;

import io.entrepot.pool.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How {@code work} works.
 *
 * @param command what is run, {@code {}} for the file's path
 * @param keep    completed files are kept
 * @param once    one file and no more
 * @param idle    how long to wait for another file; empty is until somebody says stop
 * @param term    of a lease without renewal. Too short: a machine that pauses loses its files; too long: those of a dead
 *                worker wait so long
 * @param timeout how long a command may run; empty is for ever
 * @param grace   how long running commands are waited for when all is to stop
 */
record WorkSettings(TenantId tenant, String worker, List<String> command, boolean keep, boolean once,
        Optional<Duration> idle, Duration term, Optional<Duration> timeout, Duration grace) {
    private static final int RENEWALS_PER_TERM = 3;

    WorkSettings {
        command = List.copyOf(command);
    }

    /** So often that two renewals may fail before the lease is lost. */
    Duration renewEvery() {
        return term.dividedBy(RENEWALS_PER_TERM);
    }
}
