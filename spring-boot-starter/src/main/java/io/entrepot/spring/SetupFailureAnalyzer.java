package io.entrepot.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells a wrong setup in words. */
final class SetupFailureAnalyzer extends AbstractFailureAnalyzer<EntrepotSetupException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, EntrepotSetupException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
