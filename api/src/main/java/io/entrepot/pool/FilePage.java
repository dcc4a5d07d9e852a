package io.entrepot.pool;

import java.util.List;

/**
 * A page of files; the next one comes after {@code cursor}, unless that is empty. A page may have fewer files than were asked
 * for, even none, although others follow: then many were looked at that did not match.
 */
public record FilePage(List<FileInfo> files, String cursor) {

    public FilePage {
        files = List.copyOf(files);
    }
}
