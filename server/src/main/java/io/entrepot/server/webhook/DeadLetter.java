package io.entrepot.server.webhook;

import java.time.Instant;

/**
 * A message that could not be delivered.
 *
 * @param died when it was given up
 * @param due  it is to be tried again
 */
record DeadLetter(long number, String webhook, Message message, Instant died, int attempts, String error,
        boolean due) {}
