package io.entrepot.posix;

/** What only some forms of {@link FileCalls} can do. */
public enum Capability {
    /** Names that are not text in the encoding of the platform can be listed, opened and made. */
    RAW_NAMES,
    /** Paths longer than the system takes in one call (4096 bytes on Linux). */
    LONG_PATHS,
    /** An open directory stays the same one when it is renamed or replaced. */
    HELD_DIRECTORIES,
    /** {@link Replacing#NO_REPLACE}. */
    NO_REPLACE,
    /** {@link Freshness#UNCACHED} makes a difference. */
    UNCACHED_STAT,
    /** {@link Directory#syncFileSystem}. */
    SYNC_FILE_SYSTEM,
    /** {@link Stat#mountId} and {@link Stat#birth}. */
    MOUNT_IDS,
    /** {@link Directory#createInPlace}. */
    MARKED_FILES,
    /** {@link FileCalls#notification}. */
    NOTIFICATION
}
