package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Bytes on volumes that no file has: left by a crash between placing and committing, by a commit whose outcome nobody knows, by a
 * move that was cut short, or by a database that was lost.
 *
 * <p>It must never take the bytes of a file. For that: a row is looked up only after the bytes were seen, so that whatever was
 * committed before is found. What this process is just placing or moving has its key taken (see {@link LiveWrites}), and here the
 * key is taken too from before the row is looked up until the bytes are doomed. No other process moves bytes meanwhile
 * (see {@link Broom}); and what one of them is just writing is younger than the minimum age, by the storage's clock and by ours,
 * or that one is refused when it wants to make it known.
 *
 * <p>Volumes are walked through with little memory, some hundred blobs at a time. For one thread.
 */
final class OrphanScan implements Sweep {
    private static final int AT_ONCE = 500;
    /** Where several processes write nobody knows what the others are just placing: so long that must take at most. */
    static final Duration LEAST_AMONG_SEVERAL = Duration.ofMinutes(10);

    private final Parts parts;
    private final OrphanAction action;
    private final Duration age;
    private final Optional<TenantId> only;
    private final OrphanVerdict verdict;
    private final Sightings sightings;
    private final Rebuilding rebuilding;
    private final AwayVolumes away;
    private long looked;
    /** Of the volume that is looked at: it was away when the books were made anew, and something on it is not in them. */
    private boolean wasAway;
    private boolean left;

    /** For going through the walk, which knows neither. */
    private static final class Stopped extends RuntimeException {
        Stopped(Exception why) {
            super(why);
        }
    }

    private record Suspect(Backend.Stored stored, OrphanVerdict.Found found) {}

    OrphanScan(Parts parts, OrphanAction action, Duration age, Optional<TenantId> only) {
        this.parts = parts;
        this.action = action;
        this.age = parts.stores().main().shared() && age.compareTo(LEAST_AMONG_SEVERAL) < 0
                ? LEAST_AMONG_SEVERAL
                : age;
        this.only = only;
        this.verdict = new OrphanVerdict(parts);
        this.sightings = new Sightings(parts.stores().main());
        this.rebuilding = new Rebuilding(parts);
        this.away = new AwayVolumes(parts.stores().main());
    }

    @Override
    public void run(Tally tally) throws Exception {
        try (Broom.Hold broom = parts.broom().take()) {
            for (MountedVolume volume : parts.volumes().all()) {
                tally.attempt("volume " + volume.name(), () -> scan(volume, broom, tally));
            }
        }
    }

    private void scan(MountedVolume volume, Broom.Hold broom, Tally tally) throws Exception {
        long began = sightings.now();
        wasAway = away.contains(volume);
        left = false;
        List<Backend.Stored> some = new ArrayList<>();
        try {
            volume.backend().walk(stored -> {
                if (only.isEmpty() || only.get().equals(stored.path().tenant())) {
                    some.add(stored);
                    if (some.size() == AT_ONCE) {
                        judge(volume, some, broom, tally);
                        some.clear();
                    }
                }
            }, stray -> {
                tally.add(Tally.Count.STRAYS, 1);
                tally.detail("not ours: " + stray.path() + " on volume " + volume.name());
            });
            judge(volume, some, broom, tally);
        } catch (Stopped e) {
            throw (Exception) e.getCause();
        }
        if (only.isEmpty()) {
            sightings.forgetOthers(volume, began);
            if (wasAway && !left && !tally.isDryRun()) {
                away.remove(volume);
            }
        }
        parts.keepers().nudge(volume);
    }

    private void judge(MountedVolume volume, List<Backend.Stored> some, Broom.Hold broom, Tally tally) {
        tally.checkpoint();
        looked += some.size();
        tally.progress(looked, "volume " + volume.name());
        Map<TenantId, List<Backend.Stored>> byTenant = new LinkedHashMap<>();
        some.forEach(stored -> byTenant.computeIfAbsent(stored.path().tenant(), _ -> new ArrayList<>()).add(stored));
        byTenant.forEach((tenant, blobs) -> {
            try {
                List<Backend.Stored> unknown = verdict.unknown(volume, tenant, blobs);
                if (!unknown.isEmpty()) {
                    broom.check();
                    inspect(volume, tenant, unknown, tally);
                }
            } catch (StoreException e) {
                left = true;
                tally.problem("tenant " + tenant + ": " + e.getMessage());
            } catch (VolumeException | InterruptedException e) {
                throw new Stopped(e);
            }
        });
    }

    /** With their keys taken; those that somebody has are none, and are looked for once more another time. */
    private void inspect(MountedVolume volume, TenantId tenant, List<Backend.Stored> unknown, Tally tally)
            throws VolumeException, InterruptedException {
        Map<FileKey, LiveWrites.Live> mine = new HashMap<>();
        try {
            List<Suspect> suspects = new ArrayList<>();
            for (Backend.Stored seen : unknown) {
                Optional<LiveWrites.Live> taken = parts.live().tryEnter(seen.path().key());
                if (taken.isPresent()) {
                    mine.put(seen.path().key(), taken.get());
                    suspect(volume, tenant, seen).ifPresent(suspects::add);
                }
            }
            Map<String, Long> known = sightings.known(volume,
                    suspects.stream().map(suspect -> suspect.stored.path()).toList());
            long now = parts.config().platform().store().wall().millis();
            for (Suspect suspect : suspects) {
                tally.checkpoint();
                String path = suspect.stored.path().toString();
                boolean old = now - suspect.stored.changed() >= age.toMillis()
                        && known.getOrDefault(path, 0L) >= age.toMillis();
                if (age.isZero() || old) {
                    act(volume, tenant, suspect, tally);
                } else {
                    left = true;
                    tally.detail("waits to be old enough: " + path + " on volume " + volume.name() + ", "
                            + suspect.found.why());
                }
            }
        } finally {
            mine.values().forEach(LiveWrites.Live::close);
        }
    }

    /**
     * Nothing if the bytes are a file's, or gone. They are looked for once more after the books: the volume's keeper forgets what it
     * was to remove when it has removed it, and that would be taken for bytes of which nothing is known.
     */
    private Optional<Suspect> suspect(MountedVolume volume, TenantId tenant, Backend.Stored seen)
            throws VolumeException, InterruptedException {
        Optional<Backend.Stored> stored = volume.backend().look(seen.path());
        Optional<OrphanVerdict.Found> found = stored.isPresent()
                ? verdict.of(volume, tenant, stored.get())
                : Optional.empty();
        return found.isPresent() && volume.backend().look(seen.path()).isPresent()
                ? Optional.of(new Suspect(stored.orElseThrow(), found.get()))
                : Optional.empty();
    }

    private void act(MountedVolume volume, TenantId tenant, Suspect suspect, Tally tally)
            throws VolumeException, InterruptedException {
        Backend.Stored stored = suspect.stored;
        String words = stored.path() + " on volume " + volume.name() + ": " + suspect.found.why();
        tally.detail(words);
        if (suspect.found.kind() == OrphanVerdict.Kind.LAST_COPY) {
            tally.problem(words);
            return;
        }
        if (suspect.found.kind() == OrphanVerdict.Kind.GIVEN_UP && action == OrphanAction.IMPORT) {
            left = true; // its number is still known as that of a file which is gone
            tally.problem(words + "; it can be imported when its history is forgotten, "
                    + parts.config().history().toDays() + " days after it was given up");
            return;
        }
        boolean rebuilt = action == OrphanAction.IMPORT && suspect.found.kind() == OrphanVerdict.Kind.UNKNOWN;
        if (action == OrphanAction.REPORT) {
            left = true;
            return;
        }
        boolean unknown = suspect.found.kind() == OrphanVerdict.Kind.UNKNOWN
                || suspect.found.kind() == OrphanVerdict.Kind.CUT_SHORT;
        if (wasAway && action == OrphanAction.DELETE && unknown) {
            left = true;
            tally.problem(words + "; the volume was away when the books were made anew, so this may be a file: import"
                    + " the orphans once, then others can be deleted");
            return;
        }
        if (rebuilt) {
            Optional<String> why = refusal(volume, suspect, tally);
            if (why.isPresent()) {
                left = true;
                tally.problem(stored.path() + " on volume " + volume.name() + " cannot be imported: " + why.get());
            } else {
                tally.add(Tally.Count.ORPHANS_IMPORTED, 1);
            }
        } else if (tally.isDryRun() || verdict.doom(volume, tenant, stored, suspect.found.why())) {
            tally.add(Tally.Count.ORPHANS_REMOVED, 1);
            tally.add(Tally.Count.BYTES_FREED, stored.size());
        }
    }

    private Optional<String> refusal(MountedVolume volume, Suspect suspect, Tally tally)
            throws VolumeException, InterruptedException {
        Optional<TenantRow> tenant = suspect.found.tenant();
        if (tenant.isEmpty()) {
            return Optional.of("there is no such tenant");
        }
        return tally.isDryRun()
                ? Optional.empty()
                : rebuilding.rebuild(tenant.get(), volume, suspect.stored, tally::checkpoint);
    }
}
