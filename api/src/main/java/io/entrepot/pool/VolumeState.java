package io.entrepot.pool;

/** What a volume is for, as an operator has decided; whether it works is in {@link VolumeHealth}. */
public enum VolumeState {
    /** Takes new files. */
    ACTIVE,
    /** Keeps and gives what it has, takes nothing. */
    READ_ONLY,
    /** Its files are being moved to others; takes nothing. */
    DRAINING,
    /** Keeps and gives what it has; is made active when no other has room for a file. */
    SPARE
}
