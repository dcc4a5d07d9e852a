package io.entrepot.cli;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.EpochNanos;
import io.entrepot.scan.Entry;
import io.entrepot.scan.Fact;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A fact as one line: for people, or as JSON. Paths are relative, and escaped so that they stay on their line. */
record FactLine(BytePath root, ZoneId zone) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    String text(Fact fact, Instant at) {
        String size = switch (fact) {
            case Fact.Present present -> Long.toString(present.entry().size());
            case Fact.Listed listed -> listed.listing().size() + " in it";
            default -> "";
        };
        return String.format(Locale.ROOT, "%s  %-18s %12s  %s", TIME.format(at.atZone(zone)), what(fact), size,
                path(fact) + (fact instanceof Fact.Rescan rescan ? "  (" + Words.of(rescan.reason()) + ")" : ""));
    }

    String json(Fact fact, Instant at) {
        String head = "{\"at\":" + quoted(at.toString()) + ",\"what\":" + quoted(kind(fact)) + ",\"path\":"
                + quoted(path(fact));
        return head + switch (fact) {
            case Fact.Present present -> ",\"cause\":" + quoted(Words.of(present.cause())) + entry(present.entry());
            case Fact.Absent absent -> ",\"cause\":" + quoted(Words.of(absent.cause()));
            case Fact.Listed listed -> ",\"complete\":" + listed.listing().isComplete() + ",\"entries\":"
                    + listed.listing().size();
            case Fact.Rescan rescan -> ",\"reason\":" + quoted(Words.of(rescan.reason()));
        } + "}";
    }

    private static String entry(Entry entry) {
        return ",\"type\":" + quoted(Words.of(entry.type())) + ",\"size\":" + entry.size() + ",\"links\":"
                + entry.links()
                + ",\"inode\":" + entry.inode() + ",\"mtime\":"
                + quoted(EpochNanos.toInstant(entry.mtime()).toString());
    }

    private String path(Fact fact) {
        return root.relativize(fact.path()).toString();
    }

    private static String kind(Fact fact) {
        return switch (fact) {
            case Fact.Present _ -> "present";
            case Fact.Absent _ -> "absent";
            case Fact.Listed _ -> "listed";
            case Fact.Rescan _ -> "rescan";
        };
    }

    private static String what(Fact fact) {
        return switch (fact) {
            case Fact.Present present -> Words.of(present.cause());
            case Fact.Absent absent -> absent.cause() == Fact.Cause.MOVED_AWAY ? "gone, moved" : "gone";
            case Fact.Listed _ -> "listed";
            case Fact.Rescan _ -> "look again";
        };
    }

    /** Escaped paths hold no control characters. */
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
