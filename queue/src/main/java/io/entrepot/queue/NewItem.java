package io.entrepot.queue;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is put into a queue.
 *
 * @param payload what the worker gets; not interpreted. Keep it small: it is read and written with the row
 * @param priority higher goes first; see {@link QueueConfig#priorityStep} for how much first
 * @param availableAt not handed out before this time
 * @param key the same key with the same payload names the same item, however often it is put; with another payload it
 * is refused. Remembered for {@link QueueConfig#memory} after the item is gone
 * @param number one that was {@linkplain Queues#reserve reserved}; none means the next. Not used if the key names an
 * earlier item
 */
@SuppressWarnings("ArrayRecordComponent") // the payload is passed through, never compared
public record NewItem(QueueName queue, byte[] payload, int priority, Optional<Instant> availableAt,
        Optional<String> key, OptionalLong number) {
    public static final int HIGHEST_PRIORITY = 1000;
    public static final int LARGEST_PAYLOAD = 1 << 20;
    private static final int LONGEST_KEY = 200;
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    public NewItem {
        if (payload.length > LARGEST_PAYLOAD) {
            throw new IllegalArgumentException("a payload has at most " + LARGEST_PAYLOAD + " bytes, this one "
                    + payload.length + "; store large data elsewhere and put a reference to it");
        }
        if (priority < -HIGHEST_PRIORITY || priority > HIGHEST_PRIORITY) {
            throw new IllegalArgumentException("a priority is from " + -HIGHEST_PRIORITY + " to " + HIGHEST_PRIORITY
                    + ": " + priority);
        }
        if (key.isPresent() && !OneLine.is(key.get(), LONGEST_KEY)) {
            throw new IllegalArgumentException("an idempotency key has 1 to " + LONGEST_KEY
                    + " characters without control characters");
        }
        if (availableAt.isPresent()
                && (availableAt.get().isBefore(Instant.EPOCH) || availableAt.get().isAfter(LATEST))) {
            throw new IllegalArgumentException("an item becomes available between 1970 and 9999: "
                    + availableAt.get());
        }
        if (number.isPresent() && number.getAsLong() < 1) {
            throw new IllegalArgumentException("item numbers start at 1: " + number.getAsLong());
        }
    }

    public static NewItem of(QueueName queue, byte[] payload) {
        return new NewItem(queue, payload, 0, Optional.empty(), Optional.empty(), OptionalLong.empty());
    }

    public NewItem withPriority(int value) {
        return new NewItem(queue, payload, value, availableAt, key, number);
    }

    public NewItem withAvailableAt(Instant time) {
        return new NewItem(queue, payload, priority, Optional.of(time), key, number);
    }

    public NewItem withKey(String value) {
        return new NewItem(queue, payload, priority, availableAt, Optional.of(value), number);
    }

    public NewItem withNumber(long value) {
        return new NewItem(queue, payload, priority, availableAt, key, OptionalLong.of(value));
    }
}
