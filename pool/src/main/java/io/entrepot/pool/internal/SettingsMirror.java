package io.entrepot.pool.internal;

import io.entrepot.pool.Tenant;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what people have decided, after every change, in the data directory and on every volume: see {@link Settings}.
 *
 * <p>Whoever makes a change does not wait for it, as one volume may hang and thousands of tenants may be made one after
 * another; it is written at once all the same, and changes that come meanwhile are written together. Closing waits for what is
 * left. What fails is tried again. A thread of its own; {@link #changed} may be called by any.
 */
final class SettingsMirror implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsMirror.class);
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private final Parts parts;
    private final Path directory;
    private final Semaphore changes = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    /** Of the thread alone, from here on. What was written last: to the directory, and which version to which volume. */
    private Settings last;
    private final Map<Long, Long> onVolumes = new HashMap<>();

    SettingsMirror(Parts parts) {
        this.parts = parts;
        this.directory = parts.config().directory();
        this.last = SettingsFile.read(directory.resolve(SettingsFile.IN_DIRECTORY)).orElse(Settings.NONE);
        this.thread = Thread.ofVirtual().name("settings").unstarted(this::run);
    }

    void start() {
        parts.tenants().onChange(this::changed);
        parts.quotas().onChange(this::changed);
        parts.volumes().onChange(this::changed);
        changed();
        thread.start();
    }

    void changed() {
        changes.release();
    }

    private void run() {
        boolean ending = false;
        while (!ending) {
            try {
                changes.tryAcquire(AGAIN.toMillis(), TimeUnit.MILLISECONDS);
                changes.drainPermits();
                ending = closed;
                write();
            } catch (InterruptedException e) {
                return;
            } catch (IOException | StoreException e) {
                LOG.warn("the settings could not be written down, and are later: {}", e.getMessage());
            } catch (RuntimeException e) {
                LOG.error("the settings could not be written down", e);
            }
        }
    }

    private void write() throws IOException, InterruptedException {
        Settings now = now();
        if (!now.withVersion(0).equals(last.withVersion(0)) || !SettingsFile.isIn(directory)) {
            // By the clock too: what was restored from a backup must not seem older than what it replaces.
            long version = Math.max(last.version() + 1, parts.config().platform().store().wall().millis());
            Settings next = now.withVersion(version);
            SettingsFile.write(directory, next.encode());
            last = next;
        }
        byte[] text = last.encode().getBytes(StandardCharsets.UTF_8);
        for (MountedVolume volume : parts.volumes().all()) {
            if (!Long.valueOf(last.version()).equals(onVolumes.get(volume.number()))) {
                try {
                    volume.backend().keepSettings(text);
                    onVolumes.put(volume.number(), last.version());
                } catch (VolumeException e) {
                    LOG.warn("the settings could not be written down on volume {}, and are later: {}", volume.name(),
                            e.getMessage());
                }
            }
        }
    }

    private Settings now() {
        List<Tenant> tenants = new ArrayList<>(parts.tenants().all().stream().map(TenantRow::tenant).toList());
        tenants.addAll(unreadable(tenants));
        return parts.stores().main().read(snapshot -> new Settings(0, tenants, parts.quotas().all(),
                VolumeRows.settings(snapshot), Optional.of(WatcherRows.settings(snapshot))));
    }

    /** Tenants whose shard cannot be read now: what was known of them is kept, as it is needed to recover them. */
    private List<Tenant> unreadable(List<Tenant> readable) {
        Set<Owner> there = readable.stream().map(tenant -> Owners.of(tenant.id())).collect(Collectors.toSet());
        Set<Owner> failing = new HashSet<>();
        for (Owner owner : parts.stores().sharded()) {
            try {
                if (!there.contains(owner)) {
                    parts.stores().store(owner).read(snapshot -> snapshot.now());
                }
            } catch (StoreException e) {
                failing.add(owner);
            }
        }
        return last.tenants().stream().filter(tenant -> failing.contains(Owners.of(tenant.id()))).toList();
    }

    @Override
    public void close() {
        closed = true;
        changed();
        try {
            if (!thread.join(parts.config().patience())) {
                thread.interrupt(); // a volume hangs
                thread.join(AGAIN);
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
