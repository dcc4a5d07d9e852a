package io.entrepot.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is said of a file when it is written. Names are checked when the file is, in the order that {@link PoolFiles#write}
 * promises.
 *
 * @param name           the original name, kept for people; its extension is kept on the volume if it is short and plain
 * @param directory      the logical directory, for quotas; {@code /} if none
 * @param priority       higher goes first
 * @param availableAt    not handed out before this time
 * @param idempotencyKey the same key with the same content and name is the same file, however often it is written
 * @param size           how many bytes will come, if known: then room is found for all of them, and another number is refused
 * @param source         where it came from, for its history
 * @param modified       when its source was last changed, to the millisecond, if that is known. A time before the year 1 or after
 *                       9999 is a wrong clock's and is left out, as one is for which very much else that is said leaves no room
 */
public record NewFile(Optional<String> name, String directory, int priority, Optional<Instant> availableAt,
        Optional<String> idempotencyKey, Map<String, String> labels, OptionalLong size, Optional<String> source,
        Optional<Instant> modified) {
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");
    private static final NewFile PLAIN = new NewFile(Optional.empty(), "/", 0, Optional.empty(), Optional.empty(),
            Map.of(), OptionalLong.empty(), Optional.empty(), Optional.empty());

    public NewFile {
        labels = Map.copyOf(labels);
        modified = modified.map(time -> time.truncatedTo(ChronoUnit.MILLIS))
                .filter(time -> !time.isBefore(FIRST) && !time.isAfter(LAST));
    }

    public static NewFile unnamed() {
        return PLAIN;
    }

    public static NewFile named(String name) {
        return PLAIN.withName(name);
    }

    public NewFile withName(String value) {
        return new NewFile(Optional.of(value), directory, priority, availableAt, idempotencyKey, labels, size, source,
                modified);
    }

    public NewFile in(String logicalDirectory) {
        return new NewFile(name, logicalDirectory, priority, availableAt, idempotencyKey, labels, size, source,
                modified);
    }

    public NewFile withPriority(int value) {
        return new NewFile(name, directory, value, availableAt, idempotencyKey, labels, size, source,
                modified);
    }

    public NewFile availableAt(Instant time) {
        return new NewFile(name, directory, priority, Optional.of(time), idempotencyKey, labels, size, source,
                modified);
    }

    public NewFile withIdempotencyKey(String key) {
        return new NewFile(name, directory, priority, availableAt, Optional.of(key), labels, size, source,
                modified);
    }

    public NewFile withLabels(Map<String, String> value) {
        return new NewFile(name, directory, priority, availableAt, idempotencyKey, value, size, source,
                modified);
    }

    public NewFile ofSize(long bytes) {
        return new NewFile(name, directory, priority, availableAt, idempotencyKey, labels, OptionalLong.of(bytes),
                source, modified);
    }

    public NewFile from(String where) {
        return new NewFile(name, directory, priority, availableAt, idempotencyKey, labels, size, Optional.of(where),
                modified);
    }

    /** When its source was last changed. */
    public NewFile withModified(Instant time) {
        return new NewFile(name, directory, priority, availableAt, idempotencyKey, labels, size, source,
                Optional.of(time));
    }

    /** The same with the time of that file, unless one was said, or that is no file that can be asked. */
    public NewFile withModifiedOf(Path file) {
        if (modified.isPresent()) {
            return this;
        }
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return now.isRegularFile() ? withModified(now.lastModifiedTime().toInstant()) : this;
        } catch (IOException e) {
            return this; // whoever reads it says what is wrong with it
        }
    }
}
