package io.entrepot.server.webhook;

import java.time.Duration;

/**
 * How webhooks are delivered. What each of these is for is told in {@link WebhookSettings}.
 *
 * @param attempts    after so many an event goes to the dead letters
 * @param deadLetters so many are kept for each webhook
 * @param allowLocal  also to this machine and its link
 */
public record WebhookConfig(Duration timeout, int attempts, Duration firstDelay, Duration longestDelay, long maxBody,
        int deadLetters, boolean allowLocal) {

    /** How long to wait after so many attempts. */
    Duration delay(int failed) {
        Duration delay = firstDelay.multipliedBy(1L << Math.clamp(failed - 1, 0, 30));
        return delay.compareTo(longestDelay) < 0 ? delay : longestDelay;
    }
}
