package io.entrepot.posix;

/** What a rename does with an entry that has the new name already. */
public enum Replacing {
    REPLACE,
    /** It fails with {@link Errno#EEXIST}, decided by the kernel in the same step. */
    NO_REPLACE
}
