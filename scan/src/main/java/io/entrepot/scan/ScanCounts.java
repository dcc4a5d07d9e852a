package io.entrepot.scan;

/**
 * How much a scan has seen. Only what was handed to the sink counts.
 *
 * @param directories directories that were read
 * @param silent      directories that were not, as their times had not changed
 * @param entries     entries reported, of all types
 * @param files       regular files among them
 * @param subdirectories directories among them
 * @param symlinks    symbolic links among them
 * @param others      devices, pipes, sockets among them, and what is not known
 * @param bytes       the sizes of the files; one with several names counts as often
 * @param stats       entries that were looked at, rather than only read by name
 * @param omitted     entries that were left out because of a filter
 * @param pruned      directories that were reported and not entered, because of a filter or their depth
 * @param mountPoints directories that were not entered as they are on another mount, or are mounted in a loop
 * @param vanished    directories that were gone before they could be entered, and entries before they could be looked at
 * @param problems    whatever kept the scan from seeing all
 */
public record ScanCounts(long directories, long silent, long entries, long files, long subdirectories, long symlinks,
        long others, long bytes, long stats, long omitted, long pruned, long mountPoints, long vanished,
        long problems) {}
