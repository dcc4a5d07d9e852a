package io.entrepot.posix;

/** How attributes are had on storage that other machines write to as well. On local storage both are the same. */
public enum Freshness {
    /** What {@code stat} gives: on NFS possibly some seconds old. */
    CACHED,
    /** Asked of the server, with a round trip. Where the file system cannot do that, the same as cached. */
    UNCACHED
}
