package io.entrepot.store;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One database: what is written in one unit of work is durable together, and nothing spans two stores.
 *
 * <p>The contract, which every implementation passes the same tests for:
 * <ul>
 * <li>A call that returns is durable: it survives {@code kill -9} and power loss.
 * <li>A call that throws anything but {@link OutcomeUnknownException} has changed nothing.
 * <li>{@link OutcomeUnknownException} means the commit itself failed. The store then refuses everything until it is
 * opened again, because what it believes may not be what is on the disk.
 * <li>Units of work run as if one after another. Readers see a committed state and never wait for writers.
 * <li>No owner can keep another one waiting by having much to do.
 * </ul>
 *
 * <p>Safe for use by many threads. Calls block; an interrupt does not cut a write short (its outcome would be unknown)
 * and is left set.
 */
public interface Store extends AutoCloseable {

    <R> R write(Owner owner, Work<R> work);

    /** The same for one request of an operation that is combined with others of its kind. */
    <Q, R> R write(Owner owner, Operation<Q, R> operation, Q request);

    <R> R read(Reading<R> reading);

    /**
     * The time of units of work, in milliseconds, as far as it is known without asking the database: that of the last one, and
     * what has passed since on our own ticker.
     */
    long now();

    /** Which database this is: the name of the directory that {@link Schema} finds its scripts in. */
    String dialect();

    /** Whether other processes may have it open at the same time. */
    boolean shared();

    /**
     * From now on, what other processes {@linkplain Transaction#tell tell} is handed to {@code ear}, on a thread of the
     * store: it must be short and must not call the store.
     */
    void listen(Consumer<String> ear);

    Events events();

    Leases leases();

    Incarnation incarnation();

    /** Writes a consistent copy to a new file, made durable, while everything else goes on. */
    void backup(Path file);

    /** Reads everything and reports what is damaged. */
    IntegrityReport check();

    /** What its disk has left, where that is known: the disk of a database server is the server's. */
    Optional<Room> room();

    /** Throws what {@link Transaction#requireRoom} would, before much is done for nothing. */
    void requireRoom();

    /** What {@link #compact} would bring now. */
    Reclaimable reclaimable();

    /** Gives unused space back to the file system, in steps that let other work through. */
    CompactionReport compact();

    /** Ends the store in good order. Calls that are under way are finished, later ones refused. */
    @Override
    void close();
}
