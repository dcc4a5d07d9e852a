package io.entrepot.pool.event;

import io.entrepot.pool.TenantId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Something that has happened.
 *
 * @param store  where it is written down: {@code main}, or the tenant that has a database of its own
 * @param number in that store; grows by one from event to event
 * @param tenant whose it is; empty if it is of the whole pool
 * @param type   see {@link EventType}; a later version may have others
 * @param body   texts, whole numbers and booleans by name
 */
public record PoolEvent(String store, long number, Instant at, Optional<TenantId> tenant, String type, String subject,
        Map<String, Object> body) {

    public PoolEvent {
        body = Map.copyOf(body);
    }

    /** The type, if this version knows it. */
    public Optional<EventType> kind() {
        return EventType.of(type);
    }

    public Optional<String> text(String name) {
        return Optional.ofNullable(body.get(name)).map(Object::toString);
    }

    public OptionalLong number(String name) {
        return body.get(name) instanceof Long value ? OptionalLong.of(value) : OptionalLong.empty();
    }
}
