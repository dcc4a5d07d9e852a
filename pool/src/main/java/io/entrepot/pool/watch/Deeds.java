package io.entrepot.pool.watch;

import io.entrepot.pool.internal.Body;
import io.entrepot.pool.internal.ImportBook;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Stat;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import java.io.IOException;
import java.util.Set;

/**
 * What a look does about what it finds. {@link Sorter} decides and changes nothing by itself, so that a dry run decides the same.
 * Safe for use by many threads.
 */
interface Deeds {

    /** Waits while there are enough to be imported. */
    void bringIn(Imports.Job job) throws InterruptedException;

    /** A source that we once took, nobody knows why: it is found under its own name. */
    void putBack(BytePath path, PrivateName hidden) throws IOException, InterruptedException;

    /** One that was imported, under our own name for it. */
    void end(Store store, ImportBook.Row row);

    /** One that was imported, where and as it is now. */
    void found(Store store, ImportBook.Row row, BytePath path, Stat now);

    /** What a process that died has left. */
    void removeProbe(BytePath path) throws IOException, InterruptedException;

    /** A directory that no tenant has. */
    void unknownTenant(BytePath directory);

    /** A dry run: only what would be imported is counted. */
    record Counted(Preview preview) implements Deeds {
        @Override
        public void bringIn(Imports.Job job) {
            preview.add(job);
        }

        @Override
        public void putBack(BytePath path, PrivateName hidden) {}

        @Override
        public void end(Store store, ImportBook.Row row) {}

        @Override
        public void found(Store store, ImportBook.Row row, BytePath path, Stat now) {}

        @Override
        public void removeProbe(BytePath path) {}

        @Override
        public void unknownTenant(BytePath directory) {}
    }

    /** @param reportedTenants directories that were told of before */
    record Done(Site site, Endings endings, Set<BytePath> reportedTenants, Workers workers) implements Deeds {
        @Override
        public void bringIn(Imports.Job job) throws InterruptedException {
            workers.bringIn(job);
        }

        @Override
        public void putBack(BytePath path, PrivateName hidden) throws IOException, InterruptedException {
            site.stable().forget(site.absolute(path));
            site.tree().putBack(path, hidden);
        }

        @Override
        public void end(Store store, ImportBook.Row row) {
            endings.end(store, row);
        }

        @Override
        public void found(Store store, ImportBook.Row row, BytePath path, Stat now) {
            endings.found(store, row, path, now);
        }

        @Override
        public void removeProbe(BytePath path) throws IOException, InterruptedException {
            site.tree().tryToRemove(path);
        }

        @Override
        public void unknownTenant(BytePath directory) {
            if (reportedTenants.add(directory)) {
                site.parts().stores().main().write(Owner.SYSTEM, tx -> {
                    tx.publish(Owner.SYSTEM, "import.skipped-tenant", directory.toString(),
                            new Body().with("watcher", site.spec().id().name()).toString());
                    return true;
                });
            }
        }
    }
}
