package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.Location;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.TenantId;
import io.entrepot.store.NotDoneException;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Writes down what a recovery does, each file with its name, and counts. For one thread. */
final class RecoveryLog implements AutoCloseable {
    static final String FILE = "report.txt";

    private final Instant at;
    private final String cause;
    private final Path aside;
    private final Path file;
    private final Writer out;
    private final TreeMap<TenantId, RecoveryReport.Files> tenants = new TreeMap<>();
    private final List<String> unreadable = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();
    private Optional<Path> backup = Optional.empty();
    private Optional<Location> settings = Optional.empty();

    RecoveryLog(Instant at, String cause, Path aside) {
        this.at = at;
        this.cause = cause;
        this.aside = aside;
        this.file = aside.resolve(FILE);
        try {
            Files.createDirectories(aside);
            this.out = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw NotDoneException.io("the report " + file + " cannot be written", e);
        }
        line("recovery of " + at + ": " + cause);
    }

    private void line(String line) {
        try {
            out.write(line + "\n");
        } catch (IOException e) {
            throw NotDoneException.io("the report " + file + " cannot be written", e);
        }
    }

    void restoredFrom(Path path) {
        backup = Optional.of(path);
        line("restored from " + path);
    }

    void settingsFrom(Location where) {
        settings = Optional.of(where);
        line("settings from " + where);
    }

    void rebuilt(TenantId tenant, FileKey key, long size, String how) {
        count(tenant, new RecoveryReport.Files(1, size, 0, 0, 0, 0));
        line("rebuilt and held\t" + tenant + "\t" + key + "\t" + how);
    }

    void held(TenantId tenant, FileKey key, FileKey again) {
        count(tenant, new RecoveryReport.Files(0, 0, 1, 0, 0, 0));
        line("held as a new file\t" + tenant + "\t" + key + "\tas " + again
                + ": its bytes were not on the volume, and are in the backup");
    }

    void relocated(TenantId tenant, FileKey key, String volume) {
        count(tenant, new RecoveryReport.Files(0, 0, 0, 1, 0, 0));
        line("found elsewhere\t" + tenant + "\t" + key + "\tvolume " + volume);
    }

    void deleted(TenantId tenant, FileKey key, String why) {
        count(tenant, new RecoveryReport.Files(0, 0, 0, 0, 1, 0));
        line("bytes deleted\t" + tenant + "\t" + key + "\t" + why);
    }

    void lost(TenantId tenant, FileKey key) {
        count(tenant, new RecoveryReport.Files(0, 0, 0, 0, 0, 1));
        line("taken out\t" + tenant + "\t" + key + "\tits bytes are gone");
    }

    private void count(TenantId tenant, RecoveryReport.Files more) {
        tenants.merge(tenant, more, RecoveryReport.Files::plus);
    }

    void unreadable(String what) {
        if (unreadable.size() < RecoveryReport.MOST) {
            unreadable.add(what);
        }
        line("unreadable\t" + what);
    }

    void unknown(String what) {
        if (unknown.size() < RecoveryReport.MOST) {
            unknown.add(what);
        }
        line("unknown\t" + what);
    }

    /** The end of it: what it came to, at the end of the file too. */
    RecoveryReport report() {
        boolean anything;
        try (java.util.stream.Stream<Path> files = Files.list(aside)) {
            anything = files.anyMatch(path -> !path.equals(file));
        } catch (IOException e) {
            throw NotDoneException.io("the report " + file + " cannot be written", e);
        }
        RecoveryReport report = new RecoveryReport(at, cause, anything ? Optional.of(aside) : Optional.empty(), backup,
                settings, tenants, unreadable, unknown, file);
        line("");
        report.lines().forEach(this::line);
        return report;
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw NotDoneException.io("the report " + file + " cannot be written", e);
        }
    }
}
