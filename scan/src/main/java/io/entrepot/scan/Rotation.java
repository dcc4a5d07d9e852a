package io.entrepot.scan;

import io.entrepot.posix.BytePath;

/**
 * Which share of the silent directories is read in full: those whose path, hashed, falls on this turn. After a round of as
 * many scans as there are turns each has been read once, whatever directories came and went meanwhile.
 *
 * @param turn counted from 0; may grow beyond the number of turns
 * @param of   into how many turns a round is divided; with 1 everything is read, each time
 */
public record Rotation(long turn, int of) {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    public Rotation {
        if (of < 1 || turn < 0) {
            throw new IllegalArgumentException("turn " + turn + " of " + of);
        }
    }

    public Rotation next() {
        return new Rotation(turn + 1, of);
    }

    /** @param relative the path of a directory below the root of the scan */
    public boolean isTurnOf(BytePath relative) {
        return Math.floorMod(hash(relative), of) == Math.floorMod(turn, of);
    }

    /** FNV-1a and a final mix: the same in all versions and on all machines, as rounds outlive processes. */
    private static long hash(BytePath path) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < path.length(); i++) {
            hash = (hash ^ (path.byteAt(i) & 0xff)) * FNV_PRIME;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        return hash ^ hash >>> 33;
    }
}
