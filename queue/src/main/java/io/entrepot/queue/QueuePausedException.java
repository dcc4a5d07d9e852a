package io.entrepot.queue;

/** Nothing of the queue is handed out now. */
public final class QueuePausedException extends QueueException {

    public QueuePausedException(QueueName queue) {
        super("queue.paused", "queue " + queue + " is paused; nothing can be claimed until it is resumed");
    }
}
