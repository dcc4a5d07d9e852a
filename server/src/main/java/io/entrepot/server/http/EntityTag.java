package io.entrepot.server.http;

import java.util.Arrays;
import java.util.Optional;

/** A strong tag: the same bytes have the same one, and no others have. */
public record EntityTag(String text) {

    /** Whether a condition names it: {@code *}, or a list of tags. A weak one names it only if that is enough. */
    public boolean isIn(String header, boolean weakly) {
        return header.strip().equals("*") || Arrays.stream(header.split(",", -1)).map(String::strip)
                .map(tag -> weakly && tag.startsWith("W/") ? tag.substring(2) : tag).anyMatch(toString()::equals);
    }

    /** Whether a range is still wanted: only of these very bytes. */
    public boolean holds(Optional<String> ifRange) {
        return ifRange.isEmpty() || ifRange.get().strip().equals(toString());
    }

    @Override
    public String toString() {
        return "\"" + text + "\"";
    }
}
