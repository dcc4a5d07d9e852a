package io.entrepot.server.problem;

import io.entrepot.store.Advice;
import java.util.Map;

/** Something that the server itself refuses. */
public final class ProblemException extends RuntimeException {
    private final Problem problem;

    public ProblemException(Code code, String detail) {
        this(Problem.of(code, detail));
    }

    public ProblemException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    /** With something to know beside the words. */
    public ProblemException(Code code, String detail, Advice advice, Map<String, Object> more) {
        this(Problem.of(code, detail).withAdvice(advice).with(more));
    }

    public Problem problem() {
        return problem;
    }
}
