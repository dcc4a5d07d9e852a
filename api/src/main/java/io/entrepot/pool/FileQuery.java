package io.entrepot.pool;

import java.util.Map;
import java.util.Optional;

/**
 * Which files to list, page by page.
 *
 * @param name   a glob for the original name: {@code *} and {@code ?}
 * @param labels that a file must have
 * @param volume where its bytes are, as {@link FileInfo#volume} says
 * @param cursor where the last page ended; empty for the first
 */
public record FileQuery(TenantId tenant, Optional<FileStatus> status, Optional<LogicalDirectory> directory,
        Optional<String> name, Map<String, String> labels, Optional<String> volume, String cursor, int limit) {
    public static final int MOST = 1000;

    public FileQuery {
        labels = Map.copyOf(labels);
        if (limit < 1 || limit > MOST) {
            throw new InvalidSettingException("a page has 1 to " + MOST + " files: " + limit);
        }
    }

    public static FileQuery of(TenantId tenant) {
        return new FileQuery(tenant, Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Optional.empty(),
                "",
                100);
    }

    public FileQuery in(FileStatus value) {
        return new FileQuery(tenant, Optional.of(value), directory, name, labels, volume, cursor, limit);
    }

    public FileQuery in(LogicalDirectory value) {
        return new FileQuery(tenant, status, Optional.of(value), name, labels, volume, cursor, limit);
    }

    public FileQuery named(String glob) {
        return new FileQuery(tenant, status, directory, Optional.of(glob), labels, volume, cursor, limit);
    }

    public FileQuery withLabels(Map<String, String> value) {
        return new FileQuery(tenant, status, directory, name, value, volume, cursor, limit);
    }

    /** Only those whose bytes are on that volume. */
    public FileQuery on(String value) {
        return new FileQuery(tenant, status, directory, name, labels, Optional.of(value), cursor, limit);
    }

    public FileQuery after(String value) {
        return new FileQuery(tenant, status, directory, name, labels, volume, value, limit);
    }

    public FileQuery withLimit(int value) {
        return new FileQuery(tenant, status, directory, name, labels, volume, cursor, value);
    }
}
