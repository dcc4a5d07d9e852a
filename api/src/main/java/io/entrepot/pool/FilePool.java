package io.entrepot.pool;

import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.pool.process.FileHandler;
import io.entrepot.pool.process.ProcessOptions;
import io.entrepot.pool.process.Processing;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a program does with files and work, wherever the pool is: in this process, or behind a server. A program that is written
 * against this moves from one to the other by changing the line that opens it.
 *
 * <p>Whatever returns is durable. Failures are {@link PoolException}s, which say whether the same call may succeed later, never
 * will, or may have happened. Calls block. Safe for use by many threads.
 */
public interface FilePool extends AutoCloseable {

    PoolFiles files();

    WorkQueue work();

    /** What is known of a file's life. @throws FileNotFoundException if nothing is (any more) */
    FileHistory history(TenantId tenant, FileKey key);

    /** The same in sentences. */
    List<String> explain(TenantId tenant, FileKey key);

    /** Processes a tenant's files with so many handlers at once, until it is closed. It ends with the pool. */
    default Processing process(TenantId tenant, int concurrency, FileHandler handler) {
        return process(ProcessOptions.of(tenant, concurrency), handler);
    }

    Processing process(ProcessOptions options, FileHandler handler);

    /** Tells a listener what happens from now on, until it is closed. It ends with the pool. */
    Listening listen(EventFilter filter, Consumer<PoolEvent> listener);

    /** The same from a cursor on, as far back as events are kept. */
    Listening listen(EventFilter filter, EventCursor from, Consumer<PoolEvent> listener);

    @Override
    void close();
}
