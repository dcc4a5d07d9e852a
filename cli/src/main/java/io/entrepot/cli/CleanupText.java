package io.entrepot.cli;

import io.entrepot.pool.CleanupStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What was cleaned, as commands print it. */
record CleanupText(CleanupStatistics counts) {

    /** What was done, in words; what was not is left out. */
    Map<String, String> rows() {
        Map<String, String> rows = new LinkedHashMap<>();
        add(rows, "files given back whose workers took too long", counts.timedOutFilesReset());
        add(rows, "files that had failed for good", counts.permanentlyFailedFilesRemoved());
        add(rows, "files that were completed and kept", counts.completedRecordsRemoved());
        add(rows, "temporary files", counts.temporaryFilesRemoved());
        add(rows, "empty directories", counts.emptyDirectoriesRemoved());
        add(rows, "records that were old enough to be forgotten", counts.recordsForgotten());
        add(rows, "orphans removed", counts.orphanedFilesRemoved());
        add(rows, "orphans made files again", counts.orphanedFilesImported());
        add(rows, "files without bytes found", counts.filesWithoutBytes());
        add(rows, "files without bytes removed", counts.filesWithoutBytesRemoved());
        add(rows, "things that are not ours, left alone", counts.strays());
        addBytes(rows, "space on volumes", counts.spaceFreed());
        addBytes(rows, "space of databases", counts.databaseSpaceReclaimed());
        return rows;
    }

    /** On one line. */
    String words() {
        Map<String, String> rows = rows();
        return rows.isEmpty()
                ? "nothing"
                : rows.entrySet().stream().map(row -> row.getKey() + ": " + row.getValue())
                        .collect(Collectors.joining(", "));
    }

    JsonObject addTo(JsonObject object) {
        return object.with("timedOutFilesReset", counts.timedOutFilesReset())
                .with("permanentlyFailedFilesRemoved", counts.permanentlyFailedFilesRemoved())
                .with("completedRecordsRemoved", counts.completedRecordsRemoved())
                .with("temporaryFilesRemoved", counts.temporaryFilesRemoved())
                .with("emptyDirectoriesRemoved", counts.emptyDirectoriesRemoved())
                .with("recordsForgotten", counts.recordsForgotten())
                .with("orphanedFilesRemoved", counts.orphanedFilesRemoved())
                .with("orphanedFilesImported", counts.orphanedFilesImported())
                .with("filesWithoutBytes", counts.filesWithoutBytes())
                .with("filesWithoutBytesRemoved", counts.filesWithoutBytesRemoved()).with("strays", counts.strays())
                .with("spaceFreed", counts.spaceFreed())
                .with("databaseSpaceReclaimed", counts.databaseSpaceReclaimed());
    }

    private static void add(Map<String, String> rows, String what, long count) {
        if (count != 0) {
            rows.put(what, Long.toString(count));
        }
    }

    private static void addBytes(Map<String, String> rows, String what, long bytes) {
        if (bytes != 0) {
            rows.put(what, Sizes.of(bytes));
        }
    }
}
