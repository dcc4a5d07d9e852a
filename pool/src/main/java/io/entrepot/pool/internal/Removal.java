package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.TenantId;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes files out of the books: the row goes, its counts, its redo row; what is remembered of it and where its bytes are is
 * written down. The bytes go after the commit, by the volume's keeper: a crash between leaves bytes without a file, never a
 * file without bytes.
 */
final class Removal {
    private static final long DAY = Duration.ofDays(1).toMillis();

    private final Gate gate;

    Removal(Gate gate) {
        this.gate = gate;
    }

    static long day(long millis) {
        return Math.floorDiv(millis, DAY);
    }

    /** What had happened to it, if it is known that there was such a file. */
    static Optional<List<Trail.Step>> gone(Snapshot snapshot, TenantRow tenant, FileKey key, Duration history) {
        List<@Nullable Object[]> days = new ArrayList<>();
        long today = day(snapshot.now());
        for (long day = today; day >= today - history.toDays() - 1; day--) {
            days.add(new Object[]{day, tenant.number(), key.number()});
        }
        return snapshot.queryEach("WITH e (day, tenant, id) AS (VALUES $rows) SELECT g.trail FROM e JOIN file_gone g"
                + " ON g.day = e.day AND g.tenant = e.tenant AND g.id = e.id WHERE g.nonce = ?",
                row -> Trail.parse(row.getString(1)), days, key.nonce()).stream().findFirst();
    }

    /** @param event what it is called in the events, and why in the history */
    void remove(Transaction tx, TenantRow tenant, List<FileRow> files, String event, String why) {
        takeOut(tx, tenant, files, event, why);
        List<@Nullable Object[]> doomed = new ArrayList<>(files.size());
        files.forEach(file -> doomed
                .add(new Object[]{file.key().number(), file.volume(), file.path(tenant.id()).toString()}));
        tx.updateEach("INSERT INTO file_doomed (id, volume, path) VALUES $rows", doomed);
    }

    /** The same for files that are lost. Their bytes, should there be any, stay: they may be all that there is of them. */
    void forsake(Transaction tx, TenantRow tenant, List<FileRow> files, String why) {
        takeOut(tx, tenant, files, "file.lost", why);
    }

    private void takeOut(Transaction tx, TenantRow tenant, List<FileRow> files, String event, String why) {
        List<@Nullable Object[]> which = new ArrayList<>(files.size());
        List<@Nullable Object[]> numbers = new ArrayList<>(files.size());
        List<@Nullable Object[]> gone = new ArrayList<>(files.size());
        TenantId owner = tenant.id();
        for (FileRow file : files) {
            long number = file.key().number();
            which.add(new Object[]{file.tenant(), number});
            numbers.add(new Object[]{number});
            gone.add(new Object[]{day(tx.now()), file.tenant(), number, file.key().nonce(), file.directory(),
                    file.name().orElse(null), file.size(), file.sha().bytes(), file.created(), tx.now(), why,
                    file.source().orElse(null), file.trail()});
            gate.leave(tx, tenant, file.directory(), file.size());
            tx.add(VolumeBook.files(file.volume()), -1);
            if (file.held()) {
                tx.add(tenant.held(), -1);
            }
            tx.publish(Owners.of(owner), event, file.key().toString(), new Body().with("size", file.size())
                    .with("why", why).toString());
        }
        tx.updateEach("DELETE FROM file WHERE (tenant, id) IN (VALUES $rows)", which);
        tx.updateEach("DELETE FROM file_redo WHERE id IN (VALUES $rows)", numbers);
        tx.updateEach(
                "INSERT INTO file_gone (day, tenant, id, nonce, directory, name, size, sha, created, at, why, source,"
                        + " trail) VALUES $rows",
                gone);
    }
}
