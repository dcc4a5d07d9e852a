package io.entrepot.pool.watch;

import io.entrepot.posix.BytePath;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last problems of a watcher. One that comes again and again is there once. Safe for use by many threads: one at a time. */
final class Problems {
    private static final int MOST = 100;

    private final InstantSource wall;
    private final Map<String, ImportProblem> last = new LinkedHashMap<>();

    Problems(InstantSource wall) {
        this.wall = wall;
    }

    synchronized void add(BytePath path, String what) {
        String key = path + " " + what;
        last.remove(key);
        last.put(key, new ImportProblem(wall.instant(), path.toString(), what));
        if (last.size() > MOST) {
            last.remove(last.keySet().iterator().next());
        }
    }

    synchronized List<ImportProblem> all() {
        return List.copyOf(last.values());
    }
}
