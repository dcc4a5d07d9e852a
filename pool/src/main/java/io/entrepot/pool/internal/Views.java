package io.entrepot.pool.internal;

import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.store.Snapshot;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Files as people see them: what their rows say, and what the queue says of them. Safe for use by many threads. */
final class Views {
    private final Parts parts;

    Views(Parts parts) {
        this.parts = parts;
    }

    Optional<FileInfo> find(TenantRow tenant, FileKey key) {
        return parts.tenants().store(tenant.id()).read(snapshot -> FileRow.find(snapshot, tenant.number(), key)
                .flatMap(row -> of(snapshot, tenant, List.of(row)).stream().findFirst()));
    }

    /** A file with its row. */
    record Found(FileRow row, FileInfo file) {}

    Found requireWithRow(TenantRow tenant, FileKey key) {
        return parts.tenants().store(tenant.id()).read(snapshot -> FileRow.find(snapshot, tenant.number(), key)
                .map(row -> new Found(row, of(snapshot, tenant, List.of(row)).getFirst())))
                .orElseThrow(() -> new FileNotFoundException(tenant.id(), key.toString()));
    }

    FileInfo require(TenantRow tenant, FileKey key) {
        return find(tenant, key).orElseThrow(() -> new FileNotFoundException(tenant.id(), key.toString()));
    }

    /** In the order given. */
    List<FileInfo> of(Snapshot snapshot, TenantRow tenant, List<FileRow> rows) {
        List<ItemId> items = rows.stream().map(row -> item(tenant.id(), row.key())).toList();
        Map<ItemId, ItemView> states = parts.queues().find(snapshot, items);
        List<FileInfo> files = new ArrayList<>(rows.size());
        for (FileRow row : rows) {
            files.add(of(snapshot, tenant, row, states.get(item(tenant.id(), row.key()))));
        }
        return files;
    }

    static ItemId item(TenantId tenant, FileKey key) {
        return new ItemId(Owners.of(tenant), key.number());
    }

    private FileInfo of(Snapshot snapshot, TenantRow tenant, FileRow row, @Nullable ItemView item) {
        Optional<ItemView> state = Optional.ofNullable(item);
        Instant created = Instant.ofEpochMilli(row.created());
        return new FileInfo(tenant.id(), row.key(), row.name(), row.extension(),
                parts.directories().path(snapshot, tenant, row.directory()), row.size(), row.sha(),
                LabelText.parse(row.labels()), created,
                row.modifiedAt(), volume(row), path(tenant.id(), row), status(row, state),
                row.priority(), state.map(ItemView::attempts).orElse(0), state.map(ItemView::deliveries).orElse(0),
                state.map(ItemView::epoch).orElse(0L), state.flatMap(ItemView::holder),
                state.flatMap(ItemView::lastError), state.flatMap(ItemView::lastFailedAt),
                state.filter(view -> view.state() == ItemState.DELAYED).map(ItemView::since),
                state.map(ItemView::since).orElse(created), row.source(), parts.volumes().whyUnreadable(row.volume()));
    }

    private static FileStatus status(FileRow row, Optional<ItemView> item) {
        if (row.held() || item.isEmpty()) {
            return FileStatus.HELD;
        }
        return switch (item.get().state()) {
            case READY, DELAYED -> FileStatus.PENDING;
            case HELD -> FileStatus.PROCESSING;
            case KEPT -> FileStatus.COMPLETED;
            case DEAD -> FileStatus.PERMANENTLY_FAILED;
        };
    }

    private String volume(FileRow row) {
        try {
            return parts.volumes().require(row.volume()).name();
        } catch (VolumeException e) {
            return "#" + row.volume();
        }
    }

    private Optional<Path> path(TenantId tenant, FileRow row) {
        try {
            BlobPath path = row.path(tenant);
            return parts.volumes().require(row.volume()).opened().flatMap(backend -> backend.path(path));
        } catch (VolumeException e) {
            return Optional.empty();
        }
    }
}
