package io.entrepot.pool;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A volume to be mounted.
 *
 * @param name     for people; unique in the pool
 * @param location where it is: a directory, made if there is none, or what somebody brings a backend for
 * @param depth    directories between a tenant's and its files, 0 to 3. Too few: large directories; too many: many small ones
 * @param headroom bytes that stay free. Too small: the file system runs full and slow; too large: space is not used
 * @param spare    mounted, and used only when no other has room
 */
public record VolumeSpec(String name, Location location, int depth, long headroom, boolean spare) {
    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");
    public static final int DEFAULT_DEPTH = 2;
    public static final long DEFAULT_HEADROOM = 64L << 20;

    public VolumeSpec {
        if (!ALLOWED.matcher(name).matches()) {
            throw new InvalidNameException("\"" + name + "\" is not a valid volume: 1 to 63 of a-z 0-9 . _ -,"
                    + " starting with a letter or digit");
        }
        if (depth < 0 || depth > 3 || headroom < 0) {
            throw new InvalidSettingException("a volume has a depth of 0 to 3 and no negative headroom: " + depth + ", "
                    + headroom);
        }
    }

    /** In a directory. */
    public VolumeSpec(String name, Path directory, int depth, long headroom, boolean spare) {
        this(name, Location.of(directory), depth, headroom, spare);
    }

    public static VolumeSpec of(String name, Path directory) {
        return of(name, Location.of(directory));
    }

    public static VolumeSpec of(String name, Location location) {
        return new VolumeSpec(name, location, DEFAULT_DEPTH, DEFAULT_HEADROOM, false);
    }

    public VolumeSpec withDepth(int value) {
        return new VolumeSpec(name, location, value, headroom, spare);
    }

    public VolumeSpec withHeadroom(long bytes) {
        return new VolumeSpec(name, location, depth, bytes, spare);
    }

    public VolumeSpec asSpare() {
        return new VolumeSpec(name, location, depth, headroom, true);
    }
}
