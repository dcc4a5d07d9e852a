package io.entrepot.pool;

import java.util.regex.Pattern;

/** Names a file that is being written in pieces: 32 lowercase hex digits that nobody can guess. */
public record UploadId(String digits) {
    private static final Pattern ALLOWED = Pattern.compile("[0-9a-f]{32}");

    public UploadId {
        if (!isValid(digits)) {
            throw new IllegalArgumentException("\"" + digits + "\" is not an upload: 32 of 0-9 a-f");
        }
    }

    public static boolean isValid(String text) {
        return ALLOWED.matcher(text).matches();
    }

    @Override
    public String toString() {
        return digits;
    }
}
