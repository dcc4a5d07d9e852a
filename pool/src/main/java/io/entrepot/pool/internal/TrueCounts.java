package io.entrepot.pool.internal;

import io.entrepot.store.Counter;
import io.entrepot.store.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the counters of tenants and of volumes should say, by the rows. Stateless. */
final class TrueCounts {
    private final Directories directories;

    TrueCounts(Directories directories) {
        this.directories = directories;
    }

    /** A counter that says something else. */
    record Wrong(Counter counter, String what, long counted, long real) {
        @Override
        public String toString() {
            return what + ": " + counted + " were counted, there are " + real;
        }
    }

    record Found(long files, long bytes, List<Wrong> wrong) {}

    private record Counted(long directory, long n, long bytes, long held) {}

    Found of(Snapshot snapshot, TenantRow tenant) {
        List<Counted> files = snapshot.query("SELECT directory, count(*), sum(size), sum(held) FROM file"
                + " WHERE tenant = ? GROUP BY directory",
                row -> new Counted(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)), tenant.number());
        List<Counted> uploads = snapshot.query("SELECT directory, count(*), sum(CASE WHEN expected > size"
                + " THEN expected ELSE size END) FROM upload WHERE tenant = ? AND state = 0 GROUP BY directory",
                row -> new Counted(row.getLong(1), row.getLong(2), row.getLong(3), 0), tenant.number());
        List<Wrong> wrong = new ArrayList<>();
        compare(snapshot, tenant.files(), files.stream().mapToLong(Counted::n).sum(), "files", wrong);
        compare(snapshot, tenant.bytes(), files.stream().mapToLong(Counted::bytes).sum(), "bytes", wrong);
        compare(snapshot, tenant.held(), files.stream().mapToLong(Counted::held).sum(), "held files", wrong);
        compare(snapshot, tenant.uploads(), uploads.stream().mapToLong(Counted::n).sum(), "uploads", wrong);
        compare(snapshot, tenant.uploadBytes(), uploads.stream().mapToLong(Counted::bytes).sum(), "bytes of uploads",
                wrong);
        Map<Long, Long> filesIn = byDirectory(files);
        Map<Long, Long> uploadsIn = byDirectory(uploads);
        for (long directory : snapshot.query("SELECT id FROM directory WHERE tenant = ?", row -> row.getLong(1),
                tenant.number())) {
            String where = " in " + directories.path(snapshot, tenant, directory);
            compare(snapshot, Directories.files(directory), filesIn.getOrDefault(directory, 0L), "files" + where,
                    wrong);
            compare(snapshot, Directories.uploads(directory), uploadsIn.getOrDefault(directory, 0L),
                    "uploads" + where, wrong);
        }
        return new Found(files.stream().mapToLong(Counted::n).sum(), files.stream().mapToLong(Counted::bytes).sum(),
                wrong);
    }

    /** Those of a store: how many of its tenants' files each volume has. */
    static List<Wrong> ofVolumes(Snapshot snapshot, List<MountedVolume> volumes) {
        Map<Long, Long> real = new HashMap<>();
        snapshot.query("SELECT volume, count(*) FROM file GROUP BY volume",
                row -> real.put(row.getLong(1), row.getLong(2)));
        List<Wrong> wrong = new ArrayList<>();
        volumes.forEach(volume -> compare(snapshot, VolumeBook.files(volume.number()),
                real.getOrDefault(volume.number(), 0L), "files on volume " + volume.name(), wrong));
        return wrong;
    }

    private static Map<Long, Long> byDirectory(List<Counted> counted) {
        Map<Long, Long> each = new HashMap<>();
        counted.forEach(one -> each.put(one.directory, one.n));
        return each;
    }

    private static void compare(Snapshot snapshot, Counter counter, long real, String what, List<Wrong> wrong) {
        long counted = snapshot.count(counter);
        if (counted != real) {
            wrong.add(new Wrong(counter, what, counted, real));
        }
    }
}
