package io.entrepot.pool.event;

import io.entrepot.pool.TenantId;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which events somebody wants.
 *
 * @param tenants whose; everybody's, and the pool's own, if empty
 * @param types   codes, or beginnings of codes with a star as in {@code file.*}; all if empty
 */
public record EventFilter(Set<TenantId> tenants, Set<String> types) {

    public EventFilter {
        tenants = Set.copyOf(tenants);
        types = Set.copyOf(types);
    }

    public static EventFilter all() {
        return new EventFilter(Set.of(), Set.of());
    }

    public EventFilter of(TenantId... some) {
        Set<TenantId> more = new HashSet<>(tenants);
        more.addAll(Arrays.asList(some));
        return new EventFilter(more, types);
    }

    public EventFilter of(EventType... some) {
        return of(Arrays.stream(some).map(EventType::code).toArray(String[]::new));
    }

    public EventFilter of(String... some) {
        return new EventFilter(tenants, Stream.concat(types.stream(), Arrays.stream(some))
                .collect(Collectors.toSet()));
    }

    public boolean matches(PoolEvent event) {
        return (tenants.isEmpty() || event.tenant().filter(tenants::contains).isPresent())
                && (types.isEmpty() || types.stream().anyMatch(type -> type.endsWith("*")
                        ? event.type().startsWith(type.substring(0, type.length() - 1))
                        : event.type().equals(type)));
    }
}
