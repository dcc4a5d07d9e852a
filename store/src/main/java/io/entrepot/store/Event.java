package io.entrepot.store;

import java.time.Instant;

/** Something that happened, in the order of its commit. Numbers start at 1 and have no gaps. */
public record Event(long seq, Instant at, Owner owner, String type, String subject, String body) {}
