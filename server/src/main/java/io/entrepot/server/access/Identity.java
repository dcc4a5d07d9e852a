package io.entrepot.server.access;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import java.util.Optional;
import java.util.Set;

/**
 * Who calls.
 *
 * @param id   of the key
 * @param name of the key, for people
 */
public record Identity(String id, String name, Set<Scope> scopes) {
    /** Nobody in particular. */
    public static final Identity NOBODY = new Identity("", "", Set.of());

    public Identity {
        scopes = Set.copyOf(scopes);
    }

    public boolean isAdmin() {
        return scopes.contains(Scope.ADMIN);
    }

    /**
     * Whether a call is allowed. A tenant that the key has nothing to do with is refused with the words for one that does not
     * exist, so that nobody learns which tenants there are.
     *
     * @param tenant the one in the path, if there is one
     */
    public void require(Access access, Optional<TenantId> tenant) {
        if (isAdmin() || access == Access.PUBLIC || access == Access.ANY_KEY) {
            return;
        }
        if (access.isOfTenant() && tenant.isPresent()) {
            requireTenant(access, tenant.get());
        } else if (scopes.stream().noneMatch(scope -> access.enough().contains(scope.kind()))) {
            throw forbidden(access);
        }
    }

    private void requireTenant(Access access, TenantId tenant) {
        if (scopes.stream().noneMatch(scope -> scope.kind().isOfTenant())) {
            throw forbidden(access);
        }
        if (!knows(tenant)) {
            throw new TenantNotFoundException(tenant);
        }
        if (scopes.stream().noneMatch(scope -> scope.isAbout(tenant) && access.enough().contains(scope.kind()))) {
            throw forbidden(access);
        }
    }

    private ProblemException forbidden(Access access) {
        return new ProblemException(Code.FORBIDDEN, "the key " + id + " (" + name + ") may not do this: it needs "
                + switch (access) {
                    case READ -> "tenant:…:read";
                    case WRITE -> "tenant:…:write";
                    case PROCESS -> "tenant:…:process";
                    case SOME_TENANT -> "a scope of a tenant";
                    case METRICS -> "metrics";
                    default -> "admin";
                });
    }

    /** Whether it has anything to do with that tenant. */
    public boolean knows(TenantId tenant) {
        return isAdmin() || scopes.stream().anyMatch(scope -> scope.kind().isOfTenant() && scope.isAbout(tenant));
    }

    /** Whether it may read that tenant's files. */
    public boolean mayRead(TenantId tenant) {
        return isAdmin() || scopes.stream()
                .anyMatch(scope -> scope.isAbout(tenant) && Access.READ.enough().contains(scope.kind()));
    }
}
