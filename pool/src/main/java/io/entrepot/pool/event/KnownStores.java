package io.entrepot.pool.event;

import io.entrepot.pool.TenantId;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.Stores;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The stores as one sees them who is to know of some tenants only: the others have none of their own. As safe for use by many
 * threads as what it is made of.
 */
public record KnownStores(Stores all, Predicate<TenantId> known) implements Stores {

    @Override
    public Store main() {
        return all.main();
    }

    @Override
    public Store store(Owner owner) {
        return all.store(owner);
    }

    @Override
    public Set<Owner> sharded() {
        return all.sharded().stream()
                .filter(owner -> TenantId.isValid(owner.name()) && known.test(new TenantId(owner.name())))
                .collect(Collectors.toUnmodifiableSet());
    }
}
