package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Mount;
import io.entrepot.posix.Stat;
import java.io.IOException;

/**
 * The mount that a root was on at the beginning. When it is unmounted there may be another directory at the root's path, most
 * often an empty one, or none; that is not our tree with everything deleted. Safe for use by many threads.
 *
 * @param byId whether a directory tells by its number which mount of the system's list it is on
 */
record RootMount(FileCalls calls, BytePath root, Mount mount, boolean byId) {

    /** Opens the root, so it fails if that cannot be. */
    static RootMount of(FileCalls calls, BytePath root) throws IOException {
        try (Directory directory = calls.openDirectory(root)) {
            Stat self = directory.stat();
            Mount mount = calls.mountOf(root);
            return new RootMount(calls, root, mount, isOn(self, mount));
        }
    }

    Freshness freshness() {
        return Looks.freshness(mount);
    }

    /** Whether it is mounted, or mounted again. False also when that cannot be found out. */
    boolean isThere() {
        try {
            return isSame(calls.mountOf(root));
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether it is mounted, and the directory that was opened as the root is on it. */
    boolean holds(Stat opened) {
        try {
            Mount now = calls.mountOf(root);
            return isSame(now) && (!byId || isOn(opened, now));
        } catch (IOException e) {
            return false;
        }
    }

    /** Its number is another one when it has been mounted again. */
    private boolean isSame(Mount now) {
        return now.point().equals(mount.point()) && now.type().equals(mount.type())
                && now.source().equals(mount.source());
    }

    private static boolean isOn(Stat directory, Mount mount) {
        return directory.mountId().isPresent() && directory.mountId().getAsLong() == mount.id();
    }
}
