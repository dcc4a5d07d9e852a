package io.entrepot.chaos.history;

/**
 * An item that is in the queue when all is over.
 *
 * @param item the word its put gave it
 * @param finished whether it is there only because it was to be kept when finished
 */
public record FinalItem(String item, boolean finished) {}
