package io.entrepot.posix;

/** What an entry is. */
public enum FileType {
    FILE, DIRECTORY, SYMLINK,
    /** A device, a pipe, a socket. */
    OTHER,
    /** Only in listings: the file system did not say, and the entry could not be looked at. */
    UNKNOWN
}
