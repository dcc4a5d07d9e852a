package io.entrepot.queue;

/** The item that a put came to; {@code created} is false if an earlier put with the same key had made it. */
public record Placed(ItemId item, boolean created) {}
