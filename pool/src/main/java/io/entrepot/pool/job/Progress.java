package io.entrepot.pool.job;

import java.util.OptionalLong;

/**
 * How far a run is.
 *
 * @param total empty if nobody knows; it may change
 * @param text  what is being done; may be empty
 */
public record Progress(long done, OptionalLong total, String text) {
    static final Progress NONE = new Progress(0, OptionalLong.empty(), "");

    public Progress {
        if (done < 0 || total.orElse(0) < 0) {
            throw new IllegalArgumentException("progress is not negative: " + done + " of " + total);
        }
    }
}
