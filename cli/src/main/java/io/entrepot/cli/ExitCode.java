package io.entrepot.cli;

/** How a command ended, for scripts. The launcher uses 69 and 70 too, see {@code cli/README.md}. */
final class ExitCode {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int INTERNAL = 70;

    private ExitCode() {}
}
