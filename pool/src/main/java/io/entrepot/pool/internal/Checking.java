package io.entrepot.pool.internal;

import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.CheckReport;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueStatus;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks whether everything fits together, and changes nothing; the pool goes on meanwhile. What seems wrong is looked at again
 * before it is told, as it may just have been changing. Safe for use by many threads.
 */
public final class Checking {
    private static final int PAGE = 500;
    private static final int LOOKS = 3;

    private final Parts parts;
    private final Watched watched;

    /** Is told how far it is, and ends it by what it throws. */
    public interface Watched {
        void at(long looked, String what);
    }

    public Checking(Parts parts, Watched watched) {
        this.parts = parts;
        this.watched = watched;
    }

    /** What one part has found so far. For one thread. */
    private static final class Finding {
        private final String what;
        private final List<String> problems = new ArrayList<>();
        private long looked;
        private long found;

        Finding(String what) {
            this.what = what;
        }

        void problem(String problem) {
            found++;
            if (problems.size() < CheckReport.Part.MOST) {
                problems.add(problem);
            }
        }

        CheckReport.Part part() {
            return new CheckReport.Part(what, looked, problems, found);
        }
    }

    public CheckReport run(CheckDepth depth) throws InterruptedException {
        List<CheckReport.Part> found = new ArrayList<>();
        found.add(databases());
        found.add(queues());
        found.add(counters());
        found.add(items());
        found.add(volumes());
        if (depth != CheckDepth.BOOKS) {
            found.add(files(depth));
        }
        return new CheckReport(found);
    }

    private void tell(Finding finding) {
        watched.at(finding.looked, finding.what);
    }

    private CheckReport.Part databases() {
        Finding finding = new Finding("databases");
        tell(finding);
        database(finding, "", parts.stores().main());
        for (Owner owner : new TreeSet<>(parts.stores().sharded())) {
            tell(finding);
            try {
                database(finding, "that of tenant " + owner + ": ", parts.stores().store(owner));
            } catch (StoreException e) {
                finding.problem("that of tenant " + owner + ": " + e.getMessage());
            }
        }
        return finding.part();
    }

    private static void database(Finding finding, String whose, Store store) {
        finding.looked++;
        store.check().problems().forEach(problem -> finding.problem(whose + problem));
    }

    private CheckReport.Part queues() {
        Finding finding = new Finding("queues");
        tell(finding);
        finding.looked = EveryStore.of(parts.stores()).size();
        parts.queues().check().forEach(finding::problem);
        return finding.part();
    }

    private CheckReport.Part counters() {
        Finding finding = new Finding("counters");
        TrueCounts counts = new TrueCounts(parts.directories());
        for (TenantRow tenant : parts.tenants().all()) {
            tell(finding);
            finding.looked++;
            parts.tenants().store(tenant.id()).read(snapshot -> counts.of(snapshot, tenant)).wrong()
                    .forEach(wrong -> finding.problem("tenant " + tenant.id() + ": " + wrong));
        }
        for (Store store : EveryStore.of(parts.stores())) {
            tell(finding);
            finding.looked++;
            store.read(snapshot -> TrueCounts.ofVolumes(snapshot, parts.volumes().all()))
                    .forEach(wrong -> finding.problem(wrong.toString()));
        }
        return finding.part();
    }

    /** Each file that is not held has an item in the queue, and each item has a file. */
    private CheckReport.Part items() {
        Finding finding = new Finding("files and queues");
        for (TenantRow tenant : parts.tenants().all()) {
            for (List<FileRow> rows = page(tenant, 0); !rows.isEmpty(); rows = page(tenant,
                    rows.getLast().key().number())) {
                tell(finding);
                finding.looked += rows.size();
                List<FileRow> odd = rows.stream().filter(row -> !row.held()).toList();
                for (int look = 0; look < LOOKS && !odd.isEmpty(); look++) {
                    odd = withoutItem(tenant, odd);
                }
                odd.forEach(row -> finding.problem("file " + row.key() + " of tenant " + tenant.id()
                        + " is in no queue"));
            }
            Optional<String> difference = Optional.empty();
            for (int look = 0; look < LOOKS; look++) {
                difference = difference(tenant);
                if (difference.isEmpty()) {
                    break;
                }
            }
            difference.ifPresent(finding::problem);
        }
        return finding.part();
    }

    private List<FileRow> page(TenantRow tenant, long after) {
        return parts.tenants().store(tenant.id()).read(snapshot -> FileRow.page(snapshot, tenant.number(), after,
                PAGE));
    }

    private List<FileRow> withoutItem(TenantRow tenant, List<FileRow> files) {
        return parts.tenants().store(tenant.id()).read(snapshot -> {
            Set<ItemId> there = parts.queues().find(snapshot,
                    files.stream().map(file -> Views.item(tenant.id(), file.key())).toList()).keySet();
            return FileRow.find(snapshot, files.stream().map(FileRow::which).toList()).stream()
                    .filter(row -> !row.held() && !there.contains(Views.item(tenant.id(), row.key()))).toList();
        });
    }

    private Optional<String> difference(TenantRow tenant) {
        QueueCounts counts = parts.queues().status(tenant.queue()).map(QueueStatus::counts)
                .orElse(new QueueCounts(0, 0, 0, 0, 0));
        long items = counts.ready() + counts.held() + counts.delayed() + counts.kept() + counts.dead();
        long files = parts.tenants().store(tenant.id()).read(snapshot -> snapshot.count(tenant.files())
                - snapshot.count(tenant.held()));
        return items == files
                ? Optional.empty()
                : Optional.of("tenant " + tenant.id() + " has " + items + " items in its queue and " + files
                        + " files that belong there");
    }

    private CheckReport.Part volumes() {
        Finding finding = new Finding("volumes");
        for (MountedVolume volume : parts.volumes().all()) {
            finding.looked++;
            if (volume.health() != VolumeHealth.HEALTHY) {
                finding.problem(volume.name() + " is " + volume.health() + ": " + volume.problem().orElse(""));
            }
        }
        return finding.part();
    }

    private CheckReport.Part files(CheckDepth depth) throws InterruptedException {
        Finding finding = new Finding("bytes");
        for (TenantRow tenant : parts.tenants().all()) {
            for (List<FileRow> rows = page(tenant, 0); !rows.isEmpty(); rows = page(tenant,
                    rows.getLast().key().number())) {
                for (FileRow row : rows) {
                    tell(finding);
                    finding.looked++;
                    bytes(finding, tenant, row, depth);
                }
            }
        }
        return finding.part();
    }

    private void bytes(Finding finding, TenantRow tenant, FileRow row, CheckDepth depth) throws InterruptedException {
        Optional<String> problem = problem(finding, tenant, row, depth);
        if (problem.isPresent()) {
            Optional<FileRow> now = parts.tenants().store(tenant.id())
                    .read(snapshot -> FileRow.find(snapshot, tenant.number(), row.key()));
            // Gone or moved by now, unless it is where it was.
            problem = now.isPresent() ? problem(finding, tenant, now.get(), depth) : Optional.empty();
        }
        problem.ifPresent(why -> finding.problem("file " + row.key() + " of tenant " + tenant.id() + ": " + why));
    }

    private Optional<String> problem(Finding finding, TenantRow tenant, FileRow row, CheckDepth depth)
            throws InterruptedException {
        try {
            Backend backend = parts.volumes().require(row.volume()).backend();
            Optional<Backend.Stored> stored = backend.find(row.path(tenant.id()));
            if (stored.isEmpty()) {
                return Optional.of("its bytes are gone");
            }
            if (stored.get().size() != row.size()) {
                return Optional.of("it has " + stored.get().size() + " of " + row.size() + " bytes");
            }
            return depth == CheckDepth.BYTES && !sum(backend, tenant, row, () -> tell(finding)).equals(row.sha())
                    ? Optional.of("its bytes are not those that were written")
                    : Optional.empty();
        } catch (VolumeException e) {
            return Optional.of("it cannot be looked at: " + e.getMessage());
        }
    }

    private static Sha256 sum(Backend backend, TenantRow tenant, FileRow row, Runnable between)
            throws VolumeException, InterruptedException {
        try (Blob blob = backend.open(row.path(tenant.id()))) {
            return Bytes.sum(blob, between);
        }
    }
}
