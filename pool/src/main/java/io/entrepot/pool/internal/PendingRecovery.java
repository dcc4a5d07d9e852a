package io.entrepot.pool.internal;

import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * That a recovery is under way, written down in the data directory before it begins: after a crash it is taken up where it was.
 *
 * @param replaced the main database has been replaced; what is left is to complete it
 * @param aside    where damaged files go, and the report
 * @param notes    what was seen so far that people should know, a line each
 * @param shards   whose shards are replaced too, or were: what they have on the volumes is to be looked for
 */
record PendingRecovery(Path directory, boolean replaced, String cause, Path aside, Optional<Path> backup, String notes,
        SortedSet<String> shards) {
    private static final String FILE = "entrepot.recovering";

    PendingRecovery {
        shards = Collections.unmodifiableSortedSet(new TreeSet<>(shards));
    }

    /** Nothing if none is under way. */
    static Optional<PendingRecovery> in(Path directory) {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties all = new Properties();
        try {
            all.load(new StringReader(Files.readString(file)));
        } catch (IOException e) {
            throw NotDoneException.io(file + " cannot be read", e);
        }
        return Optional.of(new PendingRecovery(directory, Boolean.parseBoolean(all.getProperty("replaced")),
                all.getProperty("cause", ""), directory.resolve(all.getProperty("aside", "damaged")),
                Optional.ofNullable(all.getProperty("backup")).map(Path::of), all.getProperty("notes", ""),
                shards(all.getProperty("shards", ""))));
    }

    private static SortedSet<String> shards(String text) {
        return text.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(text.split(",", -1)));
    }

    void save() {
        Properties all = new Properties();
        all.setProperty("replaced", String.valueOf(replaced));
        all.setProperty("cause", cause);
        all.setProperty("aside", aside.getFileName().toString());
        backup.ifPresent(path -> all.setProperty("backup", path.toAbsolutePath().toString()));
        all.setProperty("notes", notes);
        all.setProperty("shards", String.join(",", shards));
        StringWriter text = new StringWriter();
        try {
            all.store(text, "A recovery is under way; it is completed when the pool is opened");
            DurableText.write(directory.resolve(FILE), text.toString());
        } catch (IOException e) {
            throw NotDoneException.io("that a recovery has begun cannot be written down in " + directory, e);
        }
    }

    void end() {
        try {
            DurableText.delete(directory.resolve(FILE));
        } catch (IOException e) {
            throw NotDoneException.io("that a recovery has ended cannot be written down in " + directory, e);
        }
    }

    PendingRecovery from(Optional<Path> chosen) {
        return new PendingRecovery(directory, replaced, cause, aside, chosen, notes, shards);
    }

    PendingRecovery asReplaced() {
        return new PendingRecovery(directory, true, cause, aside, backup, notes, shards);
    }

    PendingRecovery noting(String note) {
        return new PendingRecovery(directory, replaced, cause, aside, backup, notes + note.replace('\n', ' ') + "\n",
                shards);
    }

    PendingRecovery withShard(Owner owner) {
        SortedSet<String> more = new TreeSet<>(shards);
        more.add(owner.name());
        return new PendingRecovery(directory, replaced, cause, aside, backup, notes, more);
    }
}
