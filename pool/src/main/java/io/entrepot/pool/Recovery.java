package io.entrepot.pool;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What opening does with an embedded database that is damaged or gone.
 *
 * @param rebuilds it is set aside, restored from the newest backup, and completed by what the files on the volumes carry.
 *                 Otherwise opening fails, says so, and changes nothing
 * @param backups  a backup, or a directory with some; without it only what the volumes carry is known
 */
public record Recovery(boolean rebuilds, Optional<Path> backups) {
    public static final Recovery REFUSE = new Recovery(false, Optional.empty());
    public static final Recovery REBUILD = new Recovery(true, Optional.empty());

    public Recovery withBackups(Path where) {
        return new Recovery(rebuilds, Optional.of(where));
    }
}
