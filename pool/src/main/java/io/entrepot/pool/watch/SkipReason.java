package io.entrepot.pool.watch;

/** Why a file, or a directory of them, was not imported by a look. */
public enum SkipReason {
    /** Its name is not among the patterns, or excluded. */
    NOT_WANTED("is not wanted", false),
    /** A symbolic link, a device, a pipe, a socket: never followed nor opened. */
    NOT_A_FILE("is not a regular file", true),
    TOO_LARGE("is larger than allowed", true),
    /** It was not seen unchanged for long enough, or has no marker yet. */
    NOT_YET("is not complete yet", false),
    /** It was imported and is kept. */
    KEPT("was imported before", false),
    /** It was imported; what is to be done with it could not be done yet. */
    FINISHING("was imported and is still to be removed or moved", false),
    /** It lies in the directory of many tenants itself. */
    NO_TENANT("belongs to no tenant: it is not in a tenant's directory", true),
    /** The directory has no tenant's name. One for all that is in it. */
    UNKNOWN_TENANT("is not the directory of a tenant", true),
    /** The tenant is disabled or suspended: waits. One for all that is in the directory. */
    TENANT_WAITS("waits until its tenant is enabled", false),
    /** The tenant has a database of its own, which does not answer: waits. One for all that is in the directory. */
    TENANT_UNREADABLE("waits until the database of its tenant can be read", true),
    /** No volume takes it now: waits. */
    STORAGE_WAITS("waits for room on a volume", true),
    /** The tenant or the logical directory has as much as it may have: waits, and does not count. */
    QUOTA_WAITS("waits until its tenant may have more files", true),
    /** It failed, and is tried again later. */
    RETRYING("failed and is tried again later", false),
    /** It failed too often. */
    PARKED("is parked", false),
    /** It failed, as have so many others that this one is not written down: tried again at the next look. */
    UNLISTED("failed, as have too many others to remember each of them", true),
    VANISHED("was gone before it could be read", false),
    UNREADABLE("cannot be read", true),
    /** It changed while it was being read. */
    CHANGED("changed while it was being read", false);

    private final String words;
    private final boolean reported;

    SkipReason(String words, boolean reported) {
        this.words = words;
        this.reported = reported;
    }

    /** To go on after the path. */
    public String words() {
        return words;
    }

    /** Whether each is worth a line. */
    boolean isReported() {
        return reported;
    }
}
