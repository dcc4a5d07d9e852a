package io.entrepot.pool;

import io.entrepot.lease.Fence;

/** The right to work on a file. Every later step carries it, and is refused if it is no longer the current one. */
public record FileLease(TenantId tenant, FileKey key, Fence fence) {

    /** The inverse of {@link #toString}. */
    public static FileLease parse(String text) {
        int slash = text.indexOf('/');
        int at = text.lastIndexOf('@');
        if (slash < 0 || at < slash) {
            throw new IllegalArgumentException("\"" + text + "\" is not a lease: write it as tenant/key@epoch-nonce");
        }
        return new FileLease(new TenantId(text.substring(0, slash)), FileKey.parse(text.substring(slash + 1, at)),
                Fence.parse(text.substring(at + 1)));
    }

    @Override
    public String toString() {
        return tenant + "/" + key + "@" + fence;
    }
}
