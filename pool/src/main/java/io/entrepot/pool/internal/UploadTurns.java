package io.entrepot.pool.internal;

import io.entrepot.lease.Nonces;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadNotFoundException;
import io.entrepot.pool.UploadOffsetException;
import io.entrepot.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who may add to an upload, or finish it: one at a time. Among the threads of this process that is known here. Where several
 * processes share the database the row says it too, for a limited time that is renewed with every piece and while it is being
 * finished; whoever takes over from one that was silent for too long does not write to the same bytes, as that one may only have
 * slept. Safe for use by many threads.
 */
final class UploadTurns {
    static final Duration TERM = Duration.ofMinutes(2);

    private final TenantBook tenants;
    private final UploadBook book;
    private final long writer;
    private final Set<UploadId> taken = ConcurrentHashMap.newKeySet();

    UploadTurns(TenantBook tenants, UploadBook book, Nonces nonces) {
        this.tenants = tenants;
        this.book = book;
        this.writer = nonces.next() | 1; // 0 is nobody
    }

    /** One who has the turn. For one thread. */
    final class Turn implements AutoCloseable {
        private final TenantRow tenant;
        private final Store store;
        private final boolean fromAnother;
        private UploadRow row;

        private Turn(TenantRow tenant, Store store, UploadRow row, boolean fromAnother) {
            this.tenant = tenant;
            this.store = store;
            this.row = row;
            this.fromAnother = fromAnother;
        }

        UploadRow row() {
            return row;
        }

        /** The bytes may still be written to by somebody who has lost the turn. */
        boolean isFromAnother() {
            return fromAnother;
        }

        /** So much is durable now. */
        void advance(String incoming, long size) {
            UploadRow from = row;
            Optional<UploadRow> advanced = store.write(Owners.of(tenant.id()), tx -> book.advance(tx,
                    tenants.require(tx, tenant.id()).requireEnabled(), from, incoming, size, TERM));
            row = advanced.orElseThrow(this::lost);
        }

        void plan(UploadRow.Plan plan) {
            UploadRow from = row;
            if (!store.write(Owners.of(tenant.id()), tx -> book.plan(tx, from, plan, TERM))) {
                throw lost();
            }
            row = from.with(plan);
        }

        /** What to tell one who does not have it any more. */
        RuntimeException lost() {
            UploadRow now = find(tenant, row.id(), store);
            return new UploadOffsetException(tenant.id(), row.id(), now.size(),
                    "somebody else has gone on with it meanwhile");
        }

        @Override
        public void close() {
            try {
                if (row.writer() != 0) {
                    store.write(Owners.of(tenant.id()), tx -> {
                        book.release(tx, row, writer);
                        return true;
                    });
                }
            } finally {
                taken.remove(row.id());
            }
        }
    }

    boolean isTaken(UploadId id) {
        return taken.contains(id);
    }

    Turn take(TenantRow tenant, UploadId id) {
        Store store = tenants.store(tenant.id());
        UploadRow before = find(tenant, id, store);
        if (!taken.add(id)) {
            throw busy(tenant, before);
        }
        try {
            UploadRow row = find(tenant, id, store);
            if (!store.shared() || row.state() != UploadRow.State.OPEN) {
                return new Turn(tenant, store, row, false);
            }
            if (!store.write(Owners.of(tenant.id()), tx -> book.claim(tx, row, writer, TERM))) {
                throw busy(tenant, row);
            }
            return new Turn(tenant, store, row.takenBy(writer), row.writer() != 0);
        } catch (RuntimeException | Error e) {
            taken.remove(id);
            throw e;
        }
    }

    private UploadRow find(TenantRow tenant, UploadId id, Store store) {
        return store.read(snapshot -> book.find(snapshot, tenant, id))
                .orElseThrow(() -> new UploadNotFoundException(tenant.id(), id));
    }

    private static UploadOffsetException busy(TenantRow tenant, UploadRow row) {
        return new UploadOffsetException(tenant.id(), row.id(), row.size(),
                "somebody is just adding to it or finishing it");
    }
}
