package io.entrepot.cli;

import io.entrepot.pool.RecoveryReport;

/** What a recovery has done, as commands print it. */
record RecoveryText(RecoveryReport report) {
    private static final int TOLD = 40;

    void print(OnPool on) {
        if (on.json) {
            on.out().println(json());
            return;
        }
        report.lines().stream().limit(TOLD).forEach(on.out()::println);
        if (report.lines().size() > TOLD) {
            on.out().println("and " + (report.lines().size() - TOLD) + " lines more");
        }
        on.out().println("All of it, with the name of each file, is in " + report.file());
        if (report.total().rebuilt() + report.total().held() > 0) {
            on.out().println("Held files are listed by 'entrepot pool ls --status held', and put into the queue by"
                    + " 'entrepot pool unhold'.");
        }
    }

    private JsonObject json() {
        RecoveryReport.Files total = report.total();
        return new JsonObject().with("at", report.at()).with("cause", report.cause())
                .with("aside", report.aside().map(Object::toString))
                .with("backup", report.backup().map(Object::toString))
                .with("settings", report.settings().map(Object::toString)).with("rebuilt", total.rebuilt())
                .with("bytes", total.bytes()).with("held", total.held()).with("relocated", total.relocated())
                .with("deleted", total.deleted()).with("lost", total.lost()).with("unreadable", report.unreadable())
                .with("unknown", report.unknown()).with("report", report.file().toString());
    }
}
