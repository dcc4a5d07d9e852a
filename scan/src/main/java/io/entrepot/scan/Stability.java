package io.entrepot.scan;

/** Whether a file is complete, as far as can be seen. */
public sealed interface Stability {

    /** It has not changed from the begin of this to its end. */
    record Stable(Interval unchanged) implements Stability {}

    /**
     * Not yet; if nothing happens, it is worth another look at that time.
     *
     * @param lookAt on the clock of the intervals
     */
    record NotYet(Why why, long lookAt) implements Stability {}

    /** What is missing. */
    enum Why {
        /** It has changed, or is seen for the first time. */
        FRESH("has changed lately"),
        /** It was seen for the first time not long ago. */
        YOUNG("has not been there for long"),
        /** Somebody has written to it and was not seen closing it. */
        OPEN("is still open to somebody who writes"),
        /** Nothing says that it is complete. */
        NO_MARKER("has no marker yet"),
        /** What says that it is complete was there before it. */
        OLD_MARKER("has changed since its marker was made"),
        /** It could not be looked at, or is no file. */
        UNSEEN("cannot be looked at");

        private final String words;

        Why(String words) {
            this.words = words;
        }

        /** To go on after the name of the file. */
        public String words() {
            return words;
        }
    }
}
