package io.entrepot.chaos.history;

/** How a lease ended, by the will of its holder. */
public enum Ending {
    /** Done, and the item is gone. */
    FINISHED(Call.Step.Kind.FINISH),
    /** Done, and the item is kept. */
    KEPT(Call.Step.Kind.FINISH),
    /** Failed, to be tried again. */
    RETRYING(Call.Step.Kind.FAIL),
    /** Failed for good; the item stays. */
    DEAD(Call.Step.Kind.FAIL),
    /** Given back. */
    RELEASED(Call.Step.Kind.RELEASE);

    private final Call.Step.Kind cause;

    Ending(Call.Step.Kind cause) {
        this.cause = cause;
    }

    /** The kind of step that ends a lease like this. */
    public Call.Step.Kind cause() {
        return cause;
    }

    /** Whether the item is never to be handed out again. */
    public boolean isFinish() {
        return cause == Call.Step.Kind.FINISH;
    }
}
