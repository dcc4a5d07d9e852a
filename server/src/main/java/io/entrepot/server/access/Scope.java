package io.entrepot.server.access;

import io.entrepot.pool.TenantId;
import java.util.Optional;

/**
 * Something that a key may do. As text: {@code admin}, {@code metrics}, {@code agent}, {@code view:read}, and for one tenant or,
 * with {@code *}, all of them {@code tenant:acme:read}, {@code tenant:acme:write}, {@code tenant:acme:process}.
 *
 * @param tenant empty for those that are not about tenants
 */
public record Scope(Kind kind, String tenant) {
    public static final Scope ADMIN = new Scope(Kind.ADMIN, "");
    public static final String EVERY_TENANT = "*";

    /** What it is about. */
    public enum Kind {
        /** Everything. */
        ADMIN("admin", false),
        /** Reads the figures. */
        METRICS("metrics", false),
        /** Speaks as an agent. */
        AGENT("agent", false),
        /** Reads views. */
        VIEW_READ("view:read", false),
        /** Lists and reads a tenant's files. */
        READ("read", true),
        /** Stores files, and takes them out. */
        WRITE("write", true),
        /** Claims files and ends the claims; so it reads them too. */
        PROCESS("process", true);

        private final String word;
        private final boolean ofTenant;

        Kind(String word, boolean ofTenant) {
            this.word = word;
            this.ofTenant = ofTenant;
        }

        boolean isOfTenant() {
            return ofTenant;
        }
    }

    public static Scope of(Kind kind, TenantId tenant) {
        return new Scope(kind, tenant.name());
    }

    /** The inverse of {@link #toString}. */
    public static Scope parse(String text) {
        for (Kind kind : Kind.values()) {
            if (!kind.ofTenant && kind.word.equals(text)) {
                return new Scope(kind, "");
            }
            Optional<String> tenant = tenant(kind, text);
            if (tenant.isPresent()) {
                return new Scope(kind, tenant.get());
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is not a scope: admin, metrics, agent, view:read, or"
                + " tenant:NAME:read, tenant:NAME:write, tenant:NAME:process with * for all tenants");
    }

    private static Optional<String> tenant(Kind kind, String text) {
        String[] parts = text.split(":", -1);
        return kind.ofTenant && parts.length == 3 && parts[0].equals("tenant") && parts[2].equals(kind.word)
                && (parts[1].equals(EVERY_TENANT) || TenantId.isValid(parts[1]))
                        ? Optional.of(parts[1])
                        : Optional.empty();
    }

    boolean isAbout(TenantId id) {
        return tenant.equals(EVERY_TENANT) || tenant.equals(id.name());
    }

    @Override
    public String toString() {
        return kind.ofTenant ? "tenant:" + tenant + ":" + kind.word : kind.word;
    }
}
