package io.entrepot.cli;

/** How a command ended, for scripts; all of them are told in {@code docs/cli.md}. The launcher uses 69 and 70 too. */
final class ExitCode {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    /** There was nothing to be claimed. */
    static final int NOTHING = 3;
    static final int LEASE_LOST = 4;
    /** A rule or a state forbids it: a quota, a disabled tenant, a file that somebody has. */
    static final int REFUSED = 5;
    /** It may or may not have happened. */
    static final int UNKNOWN = 6;
    /** Not now: the data directory is in use, storage is full or away. The same may work later. */
    static final int UNAVAILABLE = 7;
    static final int INTERNAL = 70;

    private ExitCode() {}
}
