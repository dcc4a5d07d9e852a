package io.entrepot.cli;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.EpochNanos;
import io.entrepot.posix.FileType;
import io.entrepot.scan.Listing;
import io.entrepot.scan.Problem;
import io.entrepot.scan.ScanCounts;
import io.entrepot.scan.ScanReport;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Prints what a scan found. Safe for use by many threads: a listing is printed in one piece. */
final class ScanOutput {
    private static final int MOST_PROBLEMS = 20;
    private static final double NANOS = 1e9;

    private final BytePath root;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean json;

    ScanOutput(BytePath root, PrintWriter out, PrintWriter err, boolean json) {
        this.root = root;
        this.out = out;
        this.err = err;
        this.json = json;
    }

    /** Says whether anybody still reads it. */
    boolean print(Listing listing) {
        StringBuilder text = new StringBuilder();
        BytePath relative = root.relativize(listing.directory());
        for (int i = 0; i < listing.size(); i++) {
            String path = relative.resolve(listing.name(i)).toString();
            text.append(json ? jsonLine(listing, i, path) : line(listing, i, path)).append('\n');
        }
        synchronized (out) {
            out.print(text);
            return !out.checkError();
        }
    }

    void print(ScanReport report) {
        out.println(json ? JsonText.of(totals(report)) : text(report));
        out.flush();
        if (!json) {
            report.problems().stream().limit(MOST_PROBLEMS)
                    .forEach(problem -> err.println("entrepot: scan.problem: " + problem));
            if (report.counts().problems() > MOST_PROBLEMS) {
                err.println("entrepot: scan.problem: and " + (report.counts().problems() - MOST_PROBLEMS) + " more");
            }
        }
        if (report.cancelled()) {
            err.println("entrepot: scan.cancelled: incomplete, this is only what was seen so far");
        }
        err.flush();
    }

    private static String line(Listing listing, int i, String path) {
        return String.format(Locale.ROOT, "%s %12d %-30s %s", letter(listing.type(i)), listing.size(i),
                EpochNanos.toInstant(listing.mtime(i)), path);
    }

    private static String jsonLine(Listing listing, int i, String path) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("path", path);
        entry.put("type", listing.type(i).name().toLowerCase(Locale.ROOT));
        if (listing.entry(i).isKnown()) {
            entry.put("size", listing.size(i));
            entry.put("mtime", EpochNanos.toInstant(listing.mtime(i)));
        } else {
            entry.put("error", listing.failure(i).symbol());
        }
        return JsonText.of(entry);
    }

    private static char letter(FileType type) {
        return switch (type) {
            case FILE -> 'f';
            case DIRECTORY -> 'd';
            case SYMLINK -> 'l';
            case OTHER -> 'o';
            case UNKNOWN -> '?';
        };
    }

    private static String text(ScanReport report) {
        ScanCounts n = report.counts();
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
                "%,d files, %,d bytes%n%,d directories, %,d symlinks, %,d others", n.files(), n.bytes(),
                n.subdirectories(), n.symlinks(), n.others()));
        more(text, n.omitted(), "left out");
        more(text, n.pruned(), "directories not entered");
        more(text, n.mountPoints(), "mount points not crossed");
        more(text, n.vanished(), "vanished meanwhile");
        more(text, n.problems(), "problems");
        double seconds = report.elapsed().toNanos() / NANOS;
        return text.append(String.format(Locale.ROOT, "%nin %.2f s, %,.0f entries/s%s", seconds, n.entries() / seconds,
                report.cancelled() ? ", INCOMPLETE" : "")).toString();
    }

    private static void more(StringBuilder text, long number, String what) {
        if (number > 0) {
            text.append(String.format(Locale.ROOT, "%n%,d %s", number, what));
        }
    }

    private static Map<String, Object> totals(ScanReport report) {
        ScanCounts n = report.counts();
        double seconds = report.elapsed().toNanos() / NANOS;
        Map<String, Object> totals = new LinkedHashMap<>();
        totals.put("whole", report.isWhole());
        totals.put("cancelled", report.cancelled());
        totals.put("files", n.files());
        totals.put("directories", n.subdirectories());
        totals.put("symlinks", n.symlinks());
        totals.put("others", n.others());
        totals.put("bytes", n.bytes());
        totals.put("omitted", n.omitted());
        totals.put("pruned", n.pruned());
        totals.put("mountPoints", n.mountPoints());
        totals.put("vanished", n.vanished());
        totals.put("seconds", Math.round(seconds * 1e6) / 1e6);
        totals.put("entriesPerSecond", Math.round(n.entries() / seconds));
        totals.put("problemCount", n.problems());
        totals.put("problems", report.problems().stream().map(ScanOutput::problem).toList());
        return totals;
    }

    private static Map<String, Object> problem(Problem problem) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", problem.path());
        json.put("kind", problem.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        json.put("error", problem.errno().symbol());
        return json;
    }
}
