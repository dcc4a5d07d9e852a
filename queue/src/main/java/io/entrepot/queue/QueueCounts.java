package io.entrepot.queue;

/** How many items of a queue are in each state. Kept, not counted: asking costs the same for ten items and ten million. */
public record QueueCounts(long ready, long held, long delayed, long kept, long dead) {

    public long total() {
        return ready + held + delayed + kept + dead;
    }
}
