package io.entrepot.pool;

/** Whether a volume works, as found by using and probing it. */
public enum VolumeHealth {
    HEALTHY,
    /** Can be read; writing fails. */
    UNWRITABLE,
    /** Does not answer, or is not there. Its files are kept in the books. */
    FAILED
}
