package io.entrepot.pool;

import java.time.Instant;
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
 */
public record NewFile(Optional<String> name, String directory, int priority, Optional<Instant> availableAt,
        Optional<String> idempotencyKey, Map<String, String> labels, OptionalLong size, Optional<String> source) {
    private static final NewFile PLAIN = new NewFile(Optional.empty(), "/", 0, Optional.empty(), Optional.empty(),
            Map.of(), OptionalLong.empty(), Optional.empty());

    public NewFile {
        labels = Map.copyOf(labels);
    }

    public static NewFile unnamed() {
        return PLAIN;
    }

    public static NewFile named(String name) {
        return PLAIN.withName(name);
    }

    public NewFile withName(String value) {
        return new NewFile(Optional.of(value), directory, priority, availableAt, idempotencyKey, labels, size, source);
    }

    public NewFile in(String logicalDirectory) {
        return new NewFile(name, logicalDirectory, priority, availableAt, idempotencyKey, labels, size, source);
    }

    public NewFile withPriority(int value) {
        return new NewFile(name, directory, value, availableAt, idempotencyKey, labels, size, source);
    }

    public NewFile availableAt(Instant time) {
        return new NewFile(name, directory, priority, Optional.of(time), idempotencyKey, labels, size, source);
    }

    public NewFile withIdempotencyKey(String key) {
        return new NewFile(name, directory, priority, availableAt, Optional.of(key), labels, size, source);
    }

    public NewFile withLabels(Map<String, String> value) {
        return new NewFile(name, directory, priority, availableAt, idempotencyKey, value, size, source);
    }

    public NewFile ofSize(long bytes) {
        return new NewFile(name, directory, priority, availableAt, idempotencyKey, labels, OptionalLong.of(bytes),
                source);
    }

    public NewFile from(String where) {
        return new NewFile(name, directory, priority, availableAt, idempotencyKey, labels, size, Optional.of(where));
    }
}
