package io.entrepot.lease;

/** What keeps two holders of one lease apart. */
public enum Protection {
    /**
     * Every effect is checked against the {@link Fence} where it takes effect: a file's completion, facts, state, tasks. An
     * old holder cannot do harm, so the lease may be granted anew as soon as the holder is known to be gone.
     */
    FENCED,

    /**
     * The holder acts in the outside world, where nobody checks a fence: it runs a skill, serves a route, deletes a source.
     * Only time keeps two holders apart, so the grantor waits the whole term, unless the lease was released.
     */
    UNFENCED
}
