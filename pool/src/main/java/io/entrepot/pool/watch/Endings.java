package io.entrepot.pool.watch;

import io.entrepot.pool.internal.ImportBook;
import io.entrepot.pool.internal.ImportBook.State;
import io.entrepot.pool.internal.ImportSource;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to sources that are imported. Their records say what is left to do, so nothing here is lost by a crash, and
 * nothing is synced: a source that comes back after a power cut is known by its record and ends once more. Records are marked many
 * at a time. Safe for use by many threads.
 */
final class Endings {
    private static final Logger LOG = LoggerFactory.getLogger(Endings.class);
    private static final int AT_ONCE = 500;
    private static final int MOST = 10_000;
    /** So long a record outlives its source: longer than any removal takes to reach the disk. */
    static final Duration MEMORY = Duration.ofDays(1);

    private final Site site;
    private final Map<Store, List<ImportBook.Row>> marks = new HashMap<>();

    Endings(Site site) {
        this.site = site;
    }

    /** Those that a crash, or an error, has left: their number is small. */
    List<Runnable> leftovers() throws IOException, InterruptedException {
        List<Runnable> all = new ArrayList<>();
        site.inEveryStore(store -> {
            for (ImportBook.Row row : store.read(snapshot -> ImportBook.in(snapshot, site.rule().number(),
                    State.RECORDED, snapshot.now(), MOST))) {
                all.add(() -> end(store, row));
            }
        });
        return all;
    }

    /** Many at once; those that cannot be, one by one. */
    void endAll(Store store, List<ImportBook.Row> rows) {
        Map<ImportBook.Row, SourceTree.Fate> fates = Map.of();
        try {
            fates = site.tree().takeAll(rows, site.spec().postImport());
        } catch (IOException | RuntimeException e) {
            LOG.debug("watcher {}: sources are removed one by one", site.spec().id(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        for (ImportBook.Row row : rows) {
            SourceTree.Fate fate = fates.get(row);
            if (fate == null) {
                end(store, row);
            } else {
                ended(store, row, fate);
            }
        }
    }

    private void ended(Store store, ImportBook.Row row, SourceTree.Fate fate) {
        switch (fate) {
            case GONE -> mark(store, row, row.source(), State.DONE);
            case STAYS -> {
                if (site.keeps()) {
                    mark(store, row, row.source(), State.KEPT);
                }
            }
            case UNKNOWN -> {
            }
        }
    }

    /** Removes or moves a source, as the rule is now. If that fails its record stays as it is, and it is tried again. */
    void end(Store store, ImportBook.Row row) {
        BytePath path = BytePath.parse(row.source().path());
        try {
            ended(store, row, site.tree().take(row.source(), row.file(), site.spec().postImport()));
        } catch (IOException e) {
            site.tally().failed(path, "was imported, and cannot be removed or moved: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("watcher {}: {} was imported, and cannot be removed or moved: {}", site.spec().id(), path,
                    e.toString());
            site.tally().failed(path, "was imported, and cannot be removed or moved: " + e);
        }
    }

    /** A source that was imported, and is found where and as it is now. */
    void found(Store store, ImportBook.Row row, BytePath path, Stat now) {
        ImportSource source = row.source().seen(path.toString(), site.tree().device(), now);
        switch (row.state()) {
            case KEPT -> mark(store, row, source, State.KEPT);
            case DONE -> {
                if (site.keeps()) {
                    mark(store, row, source, State.KEPT);
                } else {
                    end(store, new ImportBook.Row(row.tenant(), source, row.file(), State.RECORDED));
                }
            }
            case RECORDED -> end(store, new ImportBook.Row(row.tenant(), source, row.file(), State.RECORDED));
        }
    }

    private void mark(Store store, ImportBook.Row row, ImportSource source, State state) {
        List<ImportBook.Row> enough = List.of();
        synchronized (marks) {
            List<ImportBook.Row> some = marks.computeIfAbsent(store, _ -> new ArrayList<>());
            some.add(new ImportBook.Row(row.tenant(), source, row.file(), state));
            if (some.size() >= AT_ONCE) {
                enough = List.copyOf(some);
                some.clear();
            }
        }
        write(store, enough);
    }

    void flush() {
        Map<Store, List<ImportBook.Row>> rest;
        synchronized (marks) {
            rest = new HashMap<>(marks);
            marks.clear();
        }
        rest.forEach(this::write);
    }

    private void write(Store store, List<ImportBook.Row> rows) {
        if (rows.isEmpty()) {
            return;
        }
        try {
            store.write(Owner.SYSTEM, tx -> {
                ImportBook.mark(tx, rows);
                return true;
            });
        } catch (StoreException e) {
            if (store.equals(site.parts().stores().main())) {
                throw e;
            }
            // Their records say less than was done, which is found out again.
        }
    }

    /** Looks whether what is kept is still there, each about once a day, and forgets what has been gone for long. */
    void tidy() throws IOException, InterruptedException {
        site.inEveryStore(store -> {
            long watcher = site.rule().number();
            long now = store.read(snapshot -> snapshot.now());
            for (ImportBook.Row row : store.read(snapshot -> ImportBook.in(snapshot, watcher, State.KEPT,
                    now - MEMORY.toMillis(), AT_ONCE))) {
                BytePath path = BytePath.parse(row.source().path());
                if (row.source().device() == site.tree().device()) {
                    boolean there = isThere(path, row.source());
                    mark(store, row, row.source(), there ? State.KEPT : State.DONE);
                }
            }
            flush();
            store.write(Owner.SYSTEM, tx -> ImportBook.forget(tx, watcher, now - MEMORY.toMillis(), MOST));
        });
    }

    private boolean isThere(BytePath path, ImportSource source) throws IOException, InterruptedException {
        try {
            Optional<Stat> now = site.tree().find(path);
            return now.filter(source::isSame).isPresent();
        } catch (PosixException e) {
            return true; // nobody knows
        }
    }
}
