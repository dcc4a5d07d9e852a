package io.entrepot.store;

/**
 * What the disk of a database has left.
 *
 * @param free     bytes that can be had
 * @param headroom bytes that are kept for finishing and removing: with fewer, what adds is refused
 */
public record Room(Level level, long free, long headroom) {

    /** What is still done. */
    public enum Level {
        /** Everything. */
        ENOUGH,
        /** What frees or finishes; what adds is refused. */
        SHORT,
        /** Only reading: a commit might run out of space in the middle. */
        FULL
    }

    public boolean isEnough() {
        return level == Level.ENOUGH;
    }

    /** Bytes until what adds is refused. */
    public long available() {
        return isEnough() ? Math.max(0, free - headroom) : 0;
    }
}
