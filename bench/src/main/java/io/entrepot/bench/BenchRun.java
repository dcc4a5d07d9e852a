package io.entrepot.bench;

import io.entrepot.lab.LabDisk;
import io.entrepot.lab.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** One run of a bench: what it may use, and what it has found. Use from one thread. */
public final class BenchRun {

    /** Before them a Java program is slower than it will be for the rest of its life. */
    private static final int WARM_UPS = 3;

    private final LabDisk disk;
    private final boolean shortForm;
    private final Pattern only;
    private final OptionalInt rounds;
    private final Progress progress;
    private final List<Row> rows = new ArrayList<>();
    private final List<Goal> goals = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    BenchRun(LabDisk disk, boolean shortForm, Pattern only, OptionalInt rounds, Progress progress) {
        this.disk = disk;
        this.shortForm = shortForm;
        this.only = only;
        this.rounds = rounds;
        this.progress = progress;
        disk.note().ifPresent(notes::add);
    }

    /** A directory on the disk that is measured; gone after the run. */
    public Path directory() {
        return disk.root();
    }

    /** Whether the person wants a first idea rather than a figure to quote. */
    public boolean shortForm() {
        return shortForm;
    }

    /** Whether the person wants to see this case. */
    public boolean wants(String caseName) {
        return only.matcher(caseName).find();
    }

    /** Runs a contest for as many rounds as this run has. */
    public Standings run(Contest contest) throws Exception {
        return contest.run(shortForm ? 1 : WARM_UPS, rounds.orElse(shortForm ? 3 : 5), progress);
    }

    public void add(Row row) {
        rows.add(row);
        progress.say(row.caseName() + ": " + Figures.text(row.series().median()) + " " + row.unit());
    }

    public void add(Goal goal) {
        goals.add(goal);
    }

    /** Something a reader of the figures must know. */
    public void note(String note) {
        notes.add(note);
    }

    public Progress progress() {
        return progress;
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    List<Goal> goals() {
        return List.copyOf(goals);
    }

    List<String> notes() {
        return List.copyOf(notes);
    }
}
