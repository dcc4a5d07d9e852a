package io.entrepot.posix;

import java.io.IOException;

/** A call that the kernel refused: which one, on what, and why. */
public final class PosixException extends IOException {
    private final String call;
    private final String path;
    private final int number;

    public PosixException(String call, String path, Errno errno) {
        this(call, path, errno, "");
    }

    /** @param advice what the reader cannot guess from the error alone; or empty */
    public PosixException(String call, String path, Errno errno, String advice) {
        super(call + " " + path + ": " + errno.meaning() + " (" + errno.symbol() + ")"
                + (advice.isEmpty() ? "" : "; " + advice));
        this.call = call;
        this.path = path;
        this.number = errno.number();
    }

    /** The system call, such as {@code openat}. */
    public String call() {
        return call;
    }

    /** Escaped: see {@link BytePath#parse}. */
    public String path() {
        return path;
    }

    public Errno errno() {
        return Errno.of(number);
    }

    public boolean is(Errno other) {
        return number == other.number();
    }
}
