package io.entrepot.pool.watch;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Name;
import io.entrepot.scan.Fact;
import io.entrepot.scan.StableFiles;
import java.util.List;

/**
 * What a watcher does about a change that it is told of: lets the rule for complete files know, and looks when they may be. What
 * came while nobody listened, or in a directory that is new, is found by a look at everything. Called by one thread.
 */
final class Hearing {
    private final BytePath root;
    private final boolean manyTenants;
    private final Sieve sieve;
    private final StableFiles stable;
    private final Runnable onFile;
    private final Runnable onUnknown;

    Hearing(BytePath root, WatcherSpec spec, StableFiles stable, Runnable onFile, Runnable onUnknown) {
        this.root = root;
        this.manyTenants = spec.mode() instanceof WatchMode.ManyTenants;
        this.sieve = new Sieve(spec);
        this.stable = stable;
        this.onFile = onFile;
        this.onUnknown = onUnknown;
    }

    void hear(Fact fact) {
        switch (fact) {
            case Fact.Present present -> {
                if (isWanted(present)) {
                    stable.heard(present);
                    onFile.run();
                }
            }
            case Fact.Absent absent -> stable.heard(absent);
            case Fact.Listed _,Fact.Rescan _ -> onUnknown.run();
        }
    }

    private boolean isWanted(Fact.Present present) {
        BytePath path = root.relativize(present.path());
        List<Name> names = path.names();
        if (names.size() < (manyTenants ? 2 : 1)) {
            return false;
        }
        BytePath inside = manyTenants ? BytePath.CURRENT.resolve(names.getFirst()).relativize(path) : path;
        return sieve.isMarker(present.entry().name()) || (!sieve.excludes(inside.parent().orElse(BytePath.CURRENT))
                && sieve.refusal(inside, present.entry()).isEmpty());
    }
}
