package io.entrepot.lease;

/**
 * A step was refused because its lease is no longer the current one. Nothing of the step remains. The holder must stop
 * what it does under that lease; somebody else may be doing it.
 */
public final class LeaseLostException extends RuntimeException {
    private final Fence fence;

    public LeaseLostException(String what, Fence fence) {
        super("the lease on " + what + " under epoch " + fence.epoch() + " is no longer held; stop working under it");
        this.fence = fence;
    }

    /** Stable, for programs. */
    public String code() {
        return "lease.lost";
    }

    public Fence fence() {
        return fence;
    }
}
