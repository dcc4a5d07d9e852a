package io.entrepot.pool.internal;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Snapshot;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The bytes of small files that the database still has, as their volume was not synced since. Stateless. */
final class RedoBytes implements Mover.Source {
    private final TenantBook tenants;

    RedoBytes(TenantBook tenants) {
        this.tenants = tenants;
    }

    /** Those of all tenants on a volume after that number, in their order. */
    static List<FileRow> files(Snapshot snapshot, long volume, long after, int most) {
        return snapshot.query("SELECT " + FileRow.COLUMNS + " FROM file_redo r JOIN file f ON f.volume = r.volume"
                + " AND f.id = r.id WHERE r.volume = ? AND r.id > ? ORDER BY r.id LIMIT ?", FileRow::read, volume,
                after, most);
    }

    /** The numbers of those that are there. */
    static Set<Long> known(Snapshot snapshot, Collection<FileRow> files) {
        return new HashSet<>(snapshot.queryEach("SELECT id FROM file_redo WHERE id IN (VALUES $rows)",
                row -> row.getLong(1),
                files.stream().map(file -> new @Nullable Object[]{file.key().number()}).toList()));
    }

    @Override
    public Blob open(MountedVolume volume, TenantId tenant, FileRow file) throws VolumeException {
        return tenants.store(tenant).read(snapshot -> snapshot.first(
                "SELECT content FROM file_redo WHERE id = ? AND volume = ?",
                row -> new Content(ByteBuffer.wrap(row.getBytes(1))), file.key().number(), volume.number()))
                .orElseThrow(() -> new VolumeException(VolumeException.Kind.MISSING,
                        "the bytes of " + file.key() + " are not in the database any more", null));
    }

    private record Content(ByteBuffer bytes) implements Blob {

        @Override
        public long size() {
            return bytes.limit();
        }

        @Override
        public int read(long position, ByteBuffer into) {
            if (position >= bytes.limit()) {
                return -1;
            }
            int n = (int) Math.min(into.remaining(), bytes.limit() - position);
            into.put(bytes.slice((int) position, n));
            return n;
        }

        @Override
        public void close() {
            // It is in memory.
        }
    }
}
