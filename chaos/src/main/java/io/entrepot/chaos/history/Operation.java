package io.entrepot.chaos.history;

/**
 * A call and its answer, in an interval of the one clock that all processes of a machine share. Whatever effect it had, it
 * had within that interval; of two operations whose intervals overlap, either may have been first.
 *
 * @param source the process it came from
 * @param number tells it from all others of the source
 * @param end {@link #NEVER} if there was no answer
 */
public record Operation(String source, long number, String worker, Call call, long start, long end, Answer answer) {

    public static final long NEVER = Long.MAX_VALUE;

    /** Whether this was over before the other began, so that everybody must agree on their order. */
    public boolean isBefore(Operation other) {
        return end < other.start;
    }

    boolean isUnknown() {
        return answer instanceof Answer.Unknown;
    }

    @Override
    public String toString() {
        String when = end == NEVER ? start + "…" : start + "…+" + (end - start);
        return source + "/" + worker + " " + when + " " + call + " → " + answer;
    }
}
