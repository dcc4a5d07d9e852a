package io.entrepot.pool.internal;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.DataDirectory;
import java.nio.file.Path;

/** Writes backups of an embedded database. */
public final class PoolBackup {
    private final Parts parts;

    public PoolBackup(Parts parts) {
        this.parts = parts;
    }

    /** Volumes are synced first: so few files as can be have their bytes in the database and thus in the backup. */
    public void write(Path target) throws InterruptedException {
        if (!(parts.stores() instanceof DataDirectory data)) {
            throw new InvalidSettingException(
                    "the database is a PostgreSQL: back it up with pg_dump, or with what your installation has for it");
        }
        for (MountedVolume volume : parts.volumes().all()) {
            try {
                parts.keepers().settle(volume);
            } catch (VolumeException e) {
                parts.volumes().failed(volume, e);
            }
        }
        data.backup(target);
    }
}
