package io.entrepot.store;

/** What a caller may do about an error. */
public enum Advice {
    /** Nothing has changed; the same call may succeed later. */
    RETRY,
    /** Nothing has changed; the same call will fail again until something else is done. */
    GIVE_UP,
    /** It may or may not have happened. Look before doing it again. */
    UNKNOWN
}
