package io.entrepot.server.webhook;

import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/**
 * Somebody who is told what happens.
 *
 * @param version  another one after every change that whoever delivers must know of
 * @param standing how it goes
 */
record Webhook(String id, String name, URI url, EventFilter filter, SigningSecret secret, boolean enabled,
        Instant created, long version, Standing standing) {

    /**
     * How deliveries go.
     *
     * @param cursor   after the last event that was dealt with
     * @param head     the id of the event that is tried now; empty if none has failed
     * @param attempts how often that has failed
     * @param nextAt   when it is tried again
     * @param missed   events that were forgotten before they could be sent
     */
    record Standing(EventCursor cursor, String head, int attempts, Instant nextAt, long delivered, long missed,
            Optional<Instant> lastSuccess, Optional<Instant> lastFailure, String lastError) {}
}
