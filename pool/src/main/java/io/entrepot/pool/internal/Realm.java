package io.entrepot.pool.internal;

import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A store and the tenants whose files are in it, by the numbers they have there. What spans tenants goes through all of these.
 *
 * @param name for people
 */
record Realm(String name, Store store, Map<Long, TenantRow> tenants) {

    Realm {
        tenants = Map.copyOf(tenants);
    }

    /** @param problems is told of those that cannot be read; the others are there */
    static List<Realm> all(Parts parts, Consumer<String> problems) {
        List<TenantRow> rows = parts.tenants().all();
        List<Realm> realms = new ArrayList<>();
        realms.add(new Realm("main", parts.stores().main(),
                numbered(rows.stream().filter(row -> !row.tenant().sharded()).toList())));
        for (Owner owner : parts.stores().sharded()) {
            try {
                Store store = parts.stores().store(owner);
                realms.add(new Realm(owner.name(), store, numbered(rows.stream()
                        .filter(row -> row.tenant().sharded() && Owners.of(row.id()).equals(owner)).toList())));
            } catch (StoreException e) {
                problems.accept("the shard of tenant " + owner + " cannot be read: " + e.getMessage());
            }
        }
        return realms;
    }

    private static Map<Long, TenantRow> numbered(List<TenantRow> rows) {
        Map<Long, TenantRow> numbered = new HashMap<>();
        rows.forEach(row -> numbered.put(row.number(), row));
        return numbered;
    }

    Optional<TenantRow> tenant(long number) {
        return Optional.ofNullable(tenants.get(number));
    }

    /** Files on a volume, by number, from there on. */
    List<FileRow> files(MountedVolume volume, long after, int most) {
        return store.read(snapshot -> FileRow.onVolume(snapshot, volume.number(), after, most));
    }

    long fileCount(MountedVolume volume) {
        return store.read(snapshot -> snapshot.count(VolumeBook.files(volume.number())));
    }
}
