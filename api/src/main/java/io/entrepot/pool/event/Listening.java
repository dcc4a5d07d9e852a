package io.entrepot.pool.event;

/**
 * A listener that is told what happens, until it is closed: the events of each store in their order, one at a time, on threads
 * of its own, so that nobody waits for it. It is told what is durable; so whatever it is told has happened, and with a cursor that
 * it keeps it is told everything at least once.
 *
 * <p>A listener that throws is logged and told the next event. Safe for use by many threads.
 */
public interface Listening extends AutoCloseable {

    /** How far it has come. To be kept, and gone on from. */
    EventCursor cursor();

    /** Events after the cursor that were forgotten before it could be told. */
    long missed();

    /** How often the listener has thrown. */
    long failures();

    /** When this returns the listener is told nothing any more; it waits, for a limited time, for a call that is under way. */
    @Override
    void close();
}
