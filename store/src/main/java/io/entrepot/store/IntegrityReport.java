package io.entrepot.store;

import java.util.List;

/** What a full check found; no problems means sound. */
public record IntegrityReport(List<String> problems) {

    public IntegrityReport {
        problems = List.copyOf(problems);
    }

    public boolean sound() {
        return problems.isEmpty();
    }
}
