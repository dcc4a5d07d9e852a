package io.entrepot.pool.volume;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.TenantId;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a file is on its volume: {@code tenant/a1/b2/a1b2….pdf}. Built from validated parts only, so it leads nowhere else.
 *
 * @param extension with its dot, or empty
 * @param depth     how many directories there are between the tenant's and the file
 */
public record BlobPath(TenantId tenant, FileKey key, String extension, int depth) {
    public static final int DEEPEST = 3;
    private static final Pattern EXTENSION = Pattern.compile("(\\.[A-Za-z0-9]{1,16})?");

    public BlobPath {
        if (!EXTENSION.matcher(extension).matches()) {
            throw new IllegalArgumentException("\"" + extension + "\" is not an extension that is kept");
        }
        if (depth < 0 || depth > DEEPEST) {
            throw new IllegalArgumentException("files are in 0 to " + DEEPEST + " directories, not " + depth);
        }
    }

    /** The extension of a file name if it is short and plain, else none. */
    public static String extensionOf(String name) {
        int dot = name.lastIndexOf('.');
        String extension = dot <= 0 ? "" : name.substring(dot);
        return EXTENSION.matcher(extension).matches() ? extension : "";
    }

    /** What a path on a volume says, if it is one of ours. */
    public static Optional<BlobPath> parse(String path) {
        String[] parts = path.split("/", -1);
        String file = parts[parts.length - 1];
        if (parts.length < 2 || parts.length > 2 + DEEPEST || !TenantId.isValid(parts[0]) || file.length() < 32
                || !FileKey.isValid(file.substring(0, 32)) || !EXTENSION.matcher(file.substring(32)).matches()) {
            return Optional.empty();
        }
        BlobPath parsed = new BlobPath(new TenantId(parts[0]), FileKey.parse(file.substring(0, 32)),
                file.substring(32), parts.length - 2);
        return parsed.toString().equals(path) ? Optional.of(parsed) : Optional.empty();
    }

    /** The directory it is in, from the volume's root. */
    public String directory() {
        StringBuilder path = new StringBuilder(tenant.name());
        String digits = key.toString();
        for (int i = 0; i < depth; i++) {
            path.append('/').append(digits, 2 * i, 2 * i + 2);
        }
        return path.toString();
    }

    public String fileName() {
        return key + extension;
    }

    @Override
    public String toString() {
        return directory() + "/" + fileName();
    }
}
