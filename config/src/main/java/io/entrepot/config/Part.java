package io.entrepot.config;

/**
 * Something that may stand in a table of a configuration file. {@code T} is what it is read into.
 *
 * <p>Parts are immutable and made once, as constants beside the records they are read into.
 */
public sealed interface Part<T> permits Setting, Section, Entries {

    /** Its name in the table it is in. */
    String name();
}
